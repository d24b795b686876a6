"""The club: where many tables meet; it follows their broker, keeps finished games, and shows the season."""
