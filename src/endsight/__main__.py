"""`python -m endsight` is the command `endsight`."""

from endsight.cli import main

main()
