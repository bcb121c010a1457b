"""`endsight serve`: the local page and the JSON API."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from endsight.base.deferred import deferred
from endsight.errors import UsageError
from endsight.faces.cli.command import (
    DURATION,
    MEMORY,
    argument,
    color_options,
    command,
    complete_game,
    flag,
    option,
    takes,
    whole,
)
from endsight.faces.cli.output import Output
from endsight.faces.cli.streams import say_error
from endsight.faces.web.jobs import Settings
from endsight.naming.specification import load_game

with deferred(__name__):
    from endsight.faces.web import place as places
    from endsight.faces.web import server

NEEDED = ("fastapi", "jinja2", "segno", "uvicorn")


@command(
    "endsight serve",
    "endsight serve dominoes:n=5 mygame.py:MyGame --open",
    "endsight serve --lan",
)
@takes(
    argument("games", "[GAME]...", nargs=-1, shell_complete=complete_game),
    option("--port", "N", "The port (default 8642; 0: a free one).", whole(0, 65535), default=8642),
    option("--host", "ADDRESS", "Where to listen (default 127.0.0.1)."),
    flag("--lan", "Let others on the same network in: prints addresses, a token and QR codes."),
    option("--allowed-host names", "NAME", "Another host name of the server; NAME:PORT behind a proxy.", multiple=True),
    option("--token", "TEXT", "Require this token, even on this machine; `new` makes one."),
    flag("--open opens", "Open the page in the browser."),
    option("--seed", "N", "Seed for the deals at tables, for lessons and tests.", whole()),
    option("--time each_seconds", "TIME", "Time limit for each question (default 60s).", DURATION, default="60s"),
    option("--memory each_memory", "SIZE", "Memory limit for each question (default 2GB).", MEMORY, default="2GB"),
    output=color_options,
)
def serve(
    output: Output,
    games: tuple[str, ...],
    port: int,
    host: str | None,
    lan: bool,
    names: tuple[str, ...],
    token: str | None,
    each_seconds: float,
    each_memory: int,
    **settings: Any,
) -> int:
    """Serve a page to play and analyse on, and the same answers as a JSON API.

    All built-in games are included; add your own by naming their files. The server answers
    only this machine, accepts no paths or code in requests, and sends nothing anywhere. With
    --lan or another --host it requires a token, and prints the addresses for other machines.
    """
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking:
        raise UsageError(f"the page needs {', '.join(lacking)}", advice="pip install 'endsight[web]'")
    for spec in games:
        if "@-" not in spec:
            load_game(spec)  # an error appears now, and not when the page of the game is opened
    if lan and host is not None:
        raise UsageError("--lan listens on all addresses of this machine", found="--host", allowed="one of the two")
    where = places.EVERYWHERE if lan else "127.0.0.1" if host is None else host
    place, listener = places.placed(where, port, token, names)
    if not place.is_local:
        say_error(
            f"warning: other machines can reach {'this server' if lan else host}; anybody with the token can use it,"
            " and what is sent is not encrypted"
        )
    if settings["seed"] is not None:
        say_error("warning: anybody who knows the --seed can predict the deals at tables")
    limits, with_codes = Settings(each_seconds, each_memory), lan and not output.is_ascii
    server.run(games, place, listener, limits, with_codes=with_codes, tell=output.say, **settings)
    return 0
