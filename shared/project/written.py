"""Lists of a journal's entry that are JSON before the entry is: they may have thousands of items.

Writing them item by item takes a fraction of what making a dictionary of each would take, and may
be done in portions.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast, overload

as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class WrittenList(Sequence[dict[str, Any]]):
    """Objects whose JSON is given; they are read back from it where somebody wants one."""

    def __init__(self, items: Sequence[str]) -> None:
        """`items` are JSON objects."""
        self.text = f"[{','.join(items)}]"

    def __len__(self) -> int:
        return len(self._read())

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        return self._read()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._read() == list(cast("Sequence[object]", other))

    __hash__ = None  # pyright: ignore[reportAssignmentType] - it equals lists, which have none

    def _read(self) -> list[dict[str, Any]]:
        return json.loads(self.text)


def written(entry: Mapping[str, Any]) -> str:
    """Return an entry as JSON on one line.

    It is not in ASCII, where two halves of a surrogate pair would become one character.
    """
    parts = (
        f"{as_json(key)}:{value.text if isinstance(value, WrittenList) else as_json(value)}"
        for key, value in entry.items()
    )
    return f"{{{','.join(parts)}}}"
