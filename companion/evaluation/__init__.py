"""How well pictures with known truth are read: truth, matching, figures, changes and a report to look at."""
