"""Other programs as players: each runs in a group of its own and is asked for its moves."""
