"""Play the deals behind the README's picture and draw it; ``make docs`` runs this.

The picture is the first figure of the page on King George III, with fewer deals a bar.
"""

from __future__ import annotations

import io
from pathlib import Path

from matplotlib.figure import Figure

from analyses import endings, style

HERE = Path(__file__).parent
FILE = HERE / "endings.svg"
#: Deals a bar: enough that another seed moves no bar by what an eye sees.
DEALS = 20_000


def picture() -> tuple[str, str]:
    """Return the drawing as SVG on white paper, and what it shows in words."""
    figure = endings.run(games=DEALS, seed=0).figures[0]
    with style.house():
        drawn = figure.draw()
        assert isinstance(drawn, Figure)
        text = io.StringIO()
        drawn.savefig(text, format="svg", facecolor=style.PAPER, metadata={"Date": None})
    return text.getvalue(), f"{figure.title}. {figure.alt}"


def main() -> None:
    """Write the picture, and its words into the README."""
    drawing, words = picture()
    FILE.write_text(drawing, encoding="utf-8")
    readme = HERE.parent / "README.md"
    text = readme.read_text(encoding="utf-8")
    start, end = text.index("![") + 2, text.index(f"](docs/{FILE.name})")
    readme.write_text(text[:start] + words + text[end:], encoding="utf-8")


if __name__ == "__main__":
    main()
