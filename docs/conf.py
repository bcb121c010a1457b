"""Sphinx reads this to build the documentation: `sphinx-build -W docs OUTPUT`."""

import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

from docutils import nodes

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "endsight"
author = "The endsight authors"
copyright = "The endsight authors"  # noqa: A001
release = version = installed_version("endsight")

extensions = ["myst_parser", "sphinx.ext.autodoc", "notebook"]
exclude_patterns = ["_build", "_ext", "_templates"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "endsight"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_js_files = ["scrolling.js"]
templates_path = ["_templates"]
html_copy_source = False
html_show_sphinx = False
# Nothing is fetched from elsewhere: the pages are read without a network, too.
html_theme_options = {"navigation_with_keys": True}

highlight_language = "text"
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 90
toc_object_entries_show_parents = "hide"

# Classes that people get and do not make: their constructors are of no use to readers.
HANDED_OUT = (
    "Chart",
    "Distribution",
    "Fault",
    "Game",
    "Graph",
    "Option",
    "Policy",
    "Position",
    "Question",
    "Records",
    "Report",
    "Review",
    "ReviewStep",
    "Solution",
    "Step",
    "Table",
)

_ENTRY = re.compile(r"^(\w[\w, ]*?) {2,}(\S.*)$")


def entries_as_list(app, what, name, obj, options, lines):  # noqa: ARG001
    """Docstrings describe fields in two columns; make each such line (and what it goes on with) a list item."""
    made, column = [], None
    for line in lines:
        entry = _ENTRY.match(line)
        if entry is not None:
            if column is None and made and made[-1]:
                made.append("")
            column = entry.start(2)
            made.append(f"- `{entry[1]}`: {entry[2]}")
        elif column is not None and line.startswith(" " * column):
            made.append("  " + line.strip())
        else:
            column = None
            made.append(line)
    lines[:] = made


def charts_named(app, doctree):  # noqa: ARG001
    """Mark charts, so that the style sheet can make them follow the theme; pieces follow it by themselves."""
    for image in doctree.findall(nodes.image):
        if re.search(r"(^|/)pictures/[^/]+\.svg$", image["uri"]):
            image["classes"].append("chart")


def without_constructor(app, what, name, obj, options, signature, returns):  # noqa: ARG001
    """No signature for classes that are handed out, nor for exceptions."""
    if what == "exception" or (what == "class" and name.rpartition(".")[2] in HANDED_OUT):
        return "", ""
    return None


def setup(app):
    app.connect("autodoc-process-docstring", entries_as_list)
    app.connect("doctree-read", charts_named)
    app.connect("autodoc-process-signature", without_constructor)
