"""The index: every game with its name, a picture and kinds, as it is searched for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from endsight.faces.gallery import Card, card_of
from endsight.faces.web.addresses import Address
from endsight.faces.web.shelf import Named

__all__ = ["Entry", "index_entries", "matching", "own_entries"]


@dataclass(frozen=True)
class Entry:
    """A game of the index: how it is called, its address, the address of a picture, and who made it ("" for us)."""

    slug: str
    card: Card
    href: str
    picture: str
    source: str = ""


def index_entries(games: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """The named games of a document `endsight.games/1`."""
    return [_entry(game) for game in games]


def _entry(game: Mapping[str, Any]) -> Entry:
    name, source = game["name"], game["source"]
    card = card_of(name, game["summary"])
    slug = f"{name}:{card.example}" if card.example else name
    address = Address(Named(slug, slug))
    picture = address.to("board.svg", moves=tuple(card.at.split()))
    return Entry(name, card, address.to(), picture, "" if source == "endsight" else source)


def own_entries(named: Sequence[Named]) -> list[Entry]:
    """The games that the server was started with."""
    entries = []
    for each in named:
        known = card_of(each.class_name)
        about = known.about or f"Your rules in {each.base.partition(':')[0].rpartition('/')[2]}."
        path = f"/games/{quote(each.slug)}"
        entries.append(Entry(each.slug, Card(known.name, about, known.kinds), path, f"{path}/board.svg"))
    return entries


def matching(entries: Iterable[Entry], search: str, kind: str) -> list[Entry]:
    """Those with all words of a search in their name or text, and of a kind where one is asked for."""
    words = search.lower().split()
    return [each for each in entries if (not kind or kind in each.card.kinds) and _has(each, words)]


def _has(entry: Entry, words: Sequence[str]) -> bool:
    text = f"{entry.slug} {entry.card.name} {entry.card.about}".lower()
    return all(word in text for word in words)
