"""The page: play any game with people and players, and see what the players think.

`messages` is what browser and server say to each other, `tables` what happens at a
table, `thinking` how players are kept from blocking others, `storage` how tables
survive, `app` how all that is reached.
"""
