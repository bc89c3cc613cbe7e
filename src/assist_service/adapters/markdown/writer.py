"""Tokens written back as Markdown in which every character of a text token stays text for any reader.

mdformat's renderer is made for honest Markdown and checks itself afterwards; hostile tokens need more. So text is
escaped without its heuristics, no raw HTML is ever written (its line break in headings is), and tables are added.
"""

import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace

from markdown_it.token import Token
from mdformat.renderer import DEFAULT_RENDERERS, MDRenderer, RenderContext, RenderTreeNode

from assist_service.adapters.markdown.marks import CLOSE, MARKER, OPEN

_ESCAPED = re.compile(
    rf"[\\`*\[\]<~|]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|!(?=[\[{OPEN}])|(?<={CLOSE})[(:]",
)
"""Every character that can start markup inside a line. After a marker, `(` or `:` would make it a link."""

_HARD_BREAK = "\ufdd2"  # turned into a backslash at the very end, so that emphasis can move it like white space
_EDGES = f" \n{_HARD_BREAK}"

_IN_TABLE, _TIGHT = "in_table", "tight_lists"  # this module's keys in the renderer's environment

_ALIGNMENTS = {"text-align:left": ":--", "text-align:center": ":-:", "text-align:right": "--:"}


def write_markdown(tokens: list[Token]) -> str:
    """The Markdown of these block tokens; markers come out as `[1]`."""
    options = {"parser_extension": [SimpleNamespace(RENDERERS=_RENDERERS)], "mdformat": {"number": True}}
    env: dict[str, object] = {_IN_TABLE: False, _TIGHT: {}}
    return MDRenderer().render(tokens, options, env).replace(_HARD_BREAK, "\\").rstrip("\n")


def _text(node: RenderTreeNode, context: RenderContext) -> str:
    return MARKER.sub(r"[\1]", _ESCAPED.sub(r"\\\g<0>", node.content))


def _joined(node: RenderTreeNode, context: RenderContext) -> str:
    """The children, with what keeps two neighbours from becoming a third thing."""
    pieces: list[str] = []
    before = ""
    for child in node.children:
        if child.type == "link" and pieces and pieces[-1].endswith("!"):
            pieces[-1] = f"{pieces[-1][:-1]}\\!"  # an image
        elif child.type == before == "code_inline":
            pieces.append(" ")  # one longer run of backticks
        pieces.append(child.render(context))
        before = child.type
    return "".join(pieces)


def _emphasis(node: RenderTreeNode, context: RenderContext) -> str:
    """White space moves outside: `** a**` would be asterisks."""
    text = _joined(node, context)
    inner = text.strip(_EDGES)
    if not inner:
        return text
    before, _, after = text.partition(inner)
    return f"{before}{node.markup}{inner}{node.markup}{after}"


def _link(node: RenderTreeNode, context: RenderContext) -> str:
    return f"[{_joined(node, context)}]({node.attrs['href']})"


def _code(node: RenderTreeNode, context: RenderContext) -> str:
    code: str = DEFAULT_RENDERERS["code_inline"](node, context)
    if not context.env[_IN_TABLE]:
        return code
    # Readers disagree on a backslash before an escaped pipe: one of them ends the cell, and the code, there.
    return re.sub(r"\\(?=\|)", r"\\ ", code).replace("|", "\\|")


def _heading(node: RenderTreeNode, context: RenderContext) -> str:
    return DEFAULT_RENDERERS["heading"](node, context).replace(_HARD_BREAK, "")


def _list_item(node: RenderTreeNode, context: RenderContext) -> str:
    """As mdformat does, but the list is asked once whether it is tight, not once an item."""
    separator = "\n" if _is_tight(node.parent, context.env[_TIGHT]) else "\n\n"
    text = separator.join(filter(None, (child.render(context) for child in node.children)))
    return text if text.strip() else ""


def _is_tight(items: RenderTreeNode | None, known: dict[int, bool]) -> bool:
    assert items is not None
    if id(items) not in known:
        paragraphs = (block for item in items.children for block in item.children if block.type == "paragraph")
        known[id(items)] = all(paragraph.hidden for paragraph in paragraphs)
    return known[id(items)]


def _table(node: RenderTreeNode, context: RenderContext) -> str:
    rows = [row.children for part in node.children for row in part.children]
    context.env[_IN_TABLE] = True
    lines = [[_cell(cell, context) for cell in row] for row in rows]
    context.env[_IN_TABLE] = False
    lines.insert(1, [_ALIGNMENTS.get(str(cell.attrs.get("style")), "---") for cell in rows[0]])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell(node: RenderTreeNode, context: RenderContext) -> str:
    return "".join(child.render(context) for child in node.children).replace(_HARD_BREAK, "").replace("\n", " ")


_RENDERERS: Mapping[str, Callable[[RenderTreeNode, RenderContext], str]] = {
    "inline": lambda node, context: _joined(node, context).strip(_EDGES),
    "text": _text,
    "em": _emphasis,
    "strong": _emphasis,
    "s": _emphasis,
    "link": _link,
    "code_inline": _code,
    "hardbreak": lambda node, context: f"{_HARD_BREAK}\n",
    "heading": _heading,
    "list_item": _list_item,
    "table": _table,
}
