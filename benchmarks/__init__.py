"""Speed against C programs that play the same games, and the budgets of the design."""
