"""Templates, and the form of texts in them: escaped, printable, with numbers and names as people read them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Awaitable, Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import Any, get_args
from urllib.parse import parse_qsl, quote

import jinja2
from fastapi import APIRouter, Request, Response
from markupsafe import Markup, escape

import endsight
from endsight.base.printable import printable, printable_lines
from endsight.board import symbols
from endsight.faces.advice.moves import named as named_moves
from endsight.faces.seen_moves import with_news
from endsight.faces.web.gauges import graph
from endsight.faces.web.problems import Problem
from endsight.faces.wording import capital, number_text, paragraphs
from endsight.game.field_texts import value_text
from endsight.game.numbers import Interval, number_in
from endsight.game.question import Goal, Utility
from endsight.naming.class_names import game_title

_SYMBOLS = Markup("<!-- pieces -->")
"""Placeholder for the drawings of pieces, until it is known which ones a page shows."""
_WHOLE = re.compile(r"[^\s,<>&;]*\w-\w[^\s,<>&;]*|\d[\d.]* %")
"""Moves and percentages, which must not break across lines."""
_LONGEST_WHOLE = 16
Handler = Callable[..., Awaitable[Response]]


@cache
def environment() -> jinja2.Environment:
    """Return the templates; texts are escaped and made printable, except drawings built here."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("endsight.faces.web"),
        autoescape=True,
        finalize=lambda part: printable_lines(part) if type(part) is str else part,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(version=endsight.__version__, graph=graph)
    made.globals.update(symbols=_SYMBOLS, goals=get_args(Goal), utilities=get_args(Utility))
    made.filters.update(shorter=game_title, setting=_setting, urlencode=partial(quote, safe=""))
    made.filters.update(breakable=_breakable, coded=_coded, unbroken=_unbroken, shell=shlex.quote, exact=_exact)
    made.filters.update(opening=capital, either=named_moves, brief=_brief)
    made.filters.update(news=with_news, paragraphs=paragraphs, amount=_amount)
    return made


def rendered(template: str, status: int = 200, **parts: Any) -> Response:
    """Return a filled template as a response."""
    return Response(_text(template, **parts), status, media_type="text/html; charset=utf-8")


def redirect(place: str) -> Response:
    """Return a response that redirects to another address."""
    return Response(status_code=303, headers={"location": place})


def download(text: str, name: str, media: str = "text/plain; charset=utf-8") -> Response:
    """Return a text as a file of that name."""
    return Response(text, media_type=media, headers={"content-disposition": f'attachment; filename="{name}"'})


def page_of(routes: APIRouter, path: str, method: str = "GET") -> Callable[[Handler], Handler]:
    """Route a path to the decorated handler of a page."""
    return routes.api_route(path, methods=[method, "HEAD"] if method == "GET" else [method])


async def form_fields(request: Request) -> dict[str, str]:
    """Return the fields of a form."""
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))


def problem_page(problem: Problem, back: str = "/") -> Response:
    """Return a page about a problem; `back` is its link."""
    return rendered("problem.html", problem["status"], problem=problem, back=back)


def problem_text(problem: Problem) -> str:
    """Return the page about a problem as text."""
    return _text("problem.html", problem=problem, back="/")


def _text(template: str, **parts: Any) -> str:
    """Return a filled template with the drawings of the pieces that it shows."""
    text = environment().get_template(template).render(**parts)
    return text.replace(_SYMBOLS, symbols(text), 1)


def _breakable(spec: str) -> Markup:
    """Return a game's name that may break across lines after its separators."""
    parts = re.split(r"(?<=[,:/])", printable(game_title(spec)))
    return Markup("<wbr>").join(parts)


def _unbroken(text: str) -> Markup:
    """Return the text without breaks inside a move such as `1-2`, or inside `50 %`."""
    return Markup(_WHOLE.sub(_kept, str(escape(printable(text)))))


def _kept(match: re.Match[str]) -> str:
    """Let only a long move break, as it might be wider than a phone."""
    return f'<span class="whole">{match[0]}</span>' if len(match[0]) <= _LONGEST_WHOLE else match[0]


def _coded(text: str) -> Markup:
    """Mark words between backticks as code."""
    parts: list[str] = re.split(r"`([^`\n]+)`", printable_lines(text))
    parts[1::2] = [Markup("<code>{}</code>").format(part) for part in parts[1::2]]
    return Markup("").join(parts)


def _exact(text: str) -> Markup:
    """Return text that a form sends back unchanged: unprintable characters, which nobody sees, as references."""
    return Markup("".join(escape(sign) if printable(sign) == sign else f"&#{ord(sign)};" for sign in text))


def _brief(view: Mapping[str, str | None]) -> str:
    """Return a number exactly if short, else as its decimal."""
    return min(filter(None, (view["exact"], view["decimal"])), key=len)


def _amount(document: Mapping[str, Any]) -> str:
    """Return a number of a document, or its proven bounds, as people read it."""
    if "lower" not in document:
        return number_text(number_in(document))
    ends = [number_in(document[end]) for end in ("lower", "upper")]
    return number_text(Interval(*(Fraction(end) if isinstance(end, int) else end for end in ends)))


def _setting(row: Mapping[str, Any]) -> str:
    """Return the initial content of a parameter's field: its default, or an example if it is required."""
    default = row["default"]
    if row["required"]:
        return {"number": "5"}.get(row["kind"], row["kind"].removeprefix("like ") if not row["choices"] else "")
    if isinstance(default, dict):
        return str(default.get("exact", ""))
    return value_text(default)
