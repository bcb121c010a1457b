"""`python -m endsight` is the command `endsight`."""

from endsight.faces.cli import main

main()
