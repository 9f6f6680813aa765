"""What kind of PHI a tag marks."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class PhiType:
    """A PHI type within its PHI category; in XML the `TYPE` attribute and the element name."""

    category: str
    name: str

    def __str__(self) -> str:
        return self.name if self.name == self.category else f"{self.category}:{self.name}"
