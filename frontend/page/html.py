"""The HTML of a page: description, style and script in one file that loads nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib.resources import files
from typing import Any

ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(description: dict[str, Any]) -> str:
    """The page for a description. Texts of users are data only, and no script but ours may run."""
    style, script = _part("page.css"), _part("page.js")
    data = json.dumps(description, separators=(",", ":"))
    for character, escape in ESCAPES.items():
        data = data.replace(character, escape)
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {_hash(script)}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(description['name'])} · mycel</title>\n<style>\n{style}</style></head>\n<body>\n"
        "<noscript>This page needs JavaScript.</noscript>\n"
        f'<script type="application/json" id="data">{data}</script>\n<script>{script}</script>\n</body></html>\n'
    )


def frame(page: str, height: int = 640) -> str:
    """A page inside another one, for notebooks."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" title="stages" '
        f'style="width:100%;height:{height}px;border:1px solid #8888"></iframe>'
    )


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """The hash of the script for the page's security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
