"""No language code stands in program code outside of the room for language."""

import ast
from collections.abc import Iterator
from pathlib import Path

from shared.language.known_languages import UNDETERMINED, known_languages

ROOT = Path(__file__).parents[3]
_CODES = frozenset({UNDETERMINED, *known_languages()})
_MAY_NAME_A_LANGUAGE = ("shared/language", "shared/synthetic")
"""The room itself, and the fabricated notes, which are English."""


def _modules() -> Iterator[Path]:
    for package in ("shared", "annotator", "adjudicator"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if not path.relative_to(ROOT).as_posix().startswith(_MAY_NAME_A_LANGUAGE):
                yield path


def _named(source: str) -> set[str]:
    literals = (
        node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)
    )
    return {each for each in literals if isinstance(each, str) and each in _CODES}


def test_a_code_in_program_code_is_found() -> None:
    assert _named('if language == "es":\n    pass') == {"es"}
    assert not _named('print("see the guidelines")')


def test_no_module_outside_the_room_names_a_language() -> None:
    naming = {str(path.relative_to(ROOT)): found
              for path in _modules() if (found := _named(path.read_text("utf-8")))}  # fmt: skip
    assert naming == {}
