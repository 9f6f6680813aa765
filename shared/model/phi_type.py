"""What kind of PHI a tag marks."""

from typing import NamedTuple


class PhiType(NamedTuple):
    """A PHI type within its PHI category; in XML the `TYPE` attribute and the element name.

    A tuple, for types are looked up in tables a million times.
    """

    category: str
    name: str

    def __str__(self) -> str:
        return self.name if self.name == self.category else f"{self.category}:{self.name}"
