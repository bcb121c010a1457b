"""Templates, and the form of texts in them: escaped, printable, with numbers and names as people read them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any, get_args
from urllib.parse import parse_qsl, quote

import jinja2
from fastapi import APIRouter, Request, Response
from markupsafe import Markup, escape

import endsight
from endsight.base.printable import printable, printable_lines
from endsight.base.shortened import shortened
from endsight.board import symbols
from endsight.faces.advice.moves import named as named_moves
from endsight.faces.seen_moves import with_news
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


# ---------------------------------------------------------------------- the drawing of the values along a game

_HEIGHT, _EDGE = 132, 16
_NARROW_SCREEN, _WIDE_SCREEN = 302, 720
_LABELS = 104
"""Room at the left for the names of both sides, on wide screens."""
_NAMED = 15
"""The number of characters that fit there."""
_LEAST_STEP, _LEAST_OF_MANY, _MANY = 44, 26, 30


def graph(view: Mapping[str, Any], is_wide: bool) -> dict[str, Any]:
    """Return the sizes, the axis, the line and the points of the drawing, for a wide or a narrow screen."""
    points: Sequence[Mapping[str, Any]] = view["points"]
    start, room = (_LABELS, _WIDE_SCREEN) if is_wide else (8, _NARROW_SCREEN)
    gaps, least = len(points) - 1, _LEAST_STEP if len(points) < _MANY else _LEAST_OF_MANY
    step = max(least, (room - start - 44) / max(1, gaps))
    base = _HEIGHT - 32 if view["one_sided"] else _HEIGHT / 2 - 8
    half = base - _EDGE
    places = [(start + 22 + step * number, base - half * point["height"]) for number, point in enumerate(points)]
    line = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    top, bottom = (shortened(view[end], _NAMED) if is_wide else "" for end in ("top", "bottom"))
    names = [_name(point, step, len(points)) for point in points]
    # A long last name would pass the edge.
    past = [0.0] * gaps + [max(0.0, len(names[-1]) * 4.3 - 20)]
    return {
        "width": max(room, round(start + 44 + step * gaps)),
        "height": _HEIGHT,
        "start": start,
        "base": base,
        "high": base - half + 5,
        "low": (base if view["one_sided"] else base + half) + 5,
        "top": top,
        "bottom": bottom,
        "line": line,
        "area": f"{line} L{places[-1][0]:.1f} {base:.1f} L{places[0][0]:.1f} {base:.1f}z",
        "hit": max(24.0, min(44.0, step)),
        "points": [
            {**point, "x": x, "y": y, "name": name, "past": beyond}
            for point, (x, y), name, beyond in zip(points, places, names, past, strict=True)
        ],
    }


def _name(point: Mapping[str, Any], step: float, count: int) -> str:
    """Return the label below a point: the move where it fits, else its number at some points."""
    if not point["number"]:
        return "start"
    if len(point["move"]) * 8.5 <= step + 4:
        return str(point["move"])
    return str(point["number"]) if count < _MANY or point["number"] % 5 == 0 else ""
