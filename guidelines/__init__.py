"""What annotators and adjudicators read, in Markdown; the windows show it."""

from functools import cache
from importlib.resources import files

_ENDING = ".md"


@cache
def guideline_names() -> tuple[str, ...]:
    """The names of all guidelines, in alphabetical order."""
    names = (each.name for each in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)))


def guideline_text(name: str) -> str:
    """Return the Markdown of the guideline `name`. Raises KeyError where there is none."""
    if name not in guideline_names():
        raise KeyError(name)
    return files(__name__).joinpath(name + _ENDING).read_text(encoding="utf-8")
