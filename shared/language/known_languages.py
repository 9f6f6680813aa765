"""Which languages have a folder, for whoever only names them: none is read here."""

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

CODE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
"""How a language is named: its code by BCP 47, which is the name of its folder."""
UNDETERMINED = "und"
SHIPPED = files("shared.language") / "data"
"""The folder with a folder for each language that comes with Tandem."""
ROOTS: list[Traversable] = [SHIPPED]
"""Where languages are looked for, in this order."""


@cache
def known_languages() -> tuple[str, ...]:
    """The codes of the languages that have a folder, in order; `und` is none."""
    return tuple(
        sorted(
            {
                each.name
                for root in ROOTS
                for each in root.iterdir()
                if each.name != UNDETERMINED and (each / "language.toml").is_file()
            }
        )
    )
