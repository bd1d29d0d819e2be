"""``python -m quintet`` is the command line."""

from quintet.cli import main

main(prog_name="quintet")
