"""The pictures of the windows: SVG files, named for what they mean."""

from functools import cache
from importlib.resources import files

_ENDING = ".svg"


@cache
def icon_names() -> tuple[str, ...]:
    """The names of all icons, in alphabetical order."""
    names = (each.name for each in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)))


def icon_bytes(name: str) -> bytes:
    """Return the SVG source of the icon `name`. Raises KeyError where there is none."""
    if name not in icon_names():
        raise KeyError(name)
    return files(__name__).joinpath(name + _ENDING).read_bytes()
