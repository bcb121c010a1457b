"""The directive `notebook`: a Jupyter notebook as a part of a page, with the outputs that stand in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

_FENCE = "``````"
# The first that a notebook holds is shown, as Jupyter would.
_KINDS = ("text/html", "image/svg+xml", "text/plain")


def markdown_of(notebook: dict[str, Any]) -> str:
    """The cells and their outputs as MyST."""
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell))


def _parts(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    return [f"{_FENCE}python\n{source}\n{_FENCE}", *map(_output, cell["outputs"])]


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _text(output["text"])
    kind = next(kind for kind in _KINDS if kind in output["data"])
    shown = output["data"][kind]
    if kind == "text/plain":
        return _text(shown)
    return f'{_FENCE}{{raw}} html\n<div class="notebook-output">\n{"".join(shown)}\n</div>\n{_FENCE}'


def _text(lines: list[str]) -> str:
    return f"{_FENCE}text\n{''.join(lines).rstrip()}\n{_FENCE}"


class Notebook(SphinxDirective):
    """`{notebook} FILE`: its cells in place of the directive; the first heading is left to the page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The nodes of all cells."""
        name, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(name)
        notebook = json.loads(Path(path).read_text(encoding="utf-8"))
        first = notebook["cells"][0]
        first["source"] = [line for line in first["source"] if not line.startswith("# ")]
        content = StringList(markdown_of(notebook).splitlines(), source=path)
        holder = nodes.Element()
        self.state.nested_parse(content, 0, holder, match_titles=True)
        return holder.children


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("notebook", Notebook)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
