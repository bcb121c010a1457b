"""How families of built-in games are drawn: boards made of what their rules say, for `draw_board`."""
