"""endsight: what a finite game is worth, what to play, and why to believe it.

>>> import endsight as es
>>> game = es.games.Pots([4, 9, 2, 7])
>>> es.solve(game).value()
{'first': Fraction(16, 1), 'second': Fraction(6, 1)}
"""

__version__ = "0.2.0.dev0"


def __getattr__(name):  # type: ignore[no-untyped-def]
    # Nothing is loaded before it is asked for (PEP 562): `--help` and the rules' own
    # imports of `Game` stay quick, and the command hears Ctrl-C only after this file.
    from importlib import import_module

    return import_module("endsight.base.lazy").look_up(__name__, name)


def __dir__():  # type: ignore[no-untyped-def]
    return __getattr__("__all__")
