"""Past games: what was played, replayed step by step, and what can be counted over all of them."""
