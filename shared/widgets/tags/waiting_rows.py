"""A change of many tags that the table has yet to show."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice

from shared.widgets.tags.tag_model import TagModel, TagRow

_PORTION = 300
"""So many rows at a time are made, which takes a millisecond."""


class WaitingRows:
    """Makes the rows of a change ready, a portion at each step."""

    def __init__(
        self, model: TagModel, removed: Iterable[Hashable], added: Iterable[TagRow]
    ) -> None:
        self._steps = self._make_ready(model, removed, iter(added))
        self._show: Callable[[], None] = _nothing
        self.gone: list[Hashable] = []
        self.new: list[TagRow] = []

    def step(self) -> bool:
        """Make a portion of it ready; False where all is."""
        return next(self._steps, False)

    def show(self) -> None:
        """Change the rows of the model, once all is ready."""
        self._show()

    def _make_ready(
        self, model: TagModel, removed: Iterable[Hashable], added: Iterator[TagRow]
    ) -> Iterator[bool]:
        self.gone = list(removed)
        while portion := list(islice(added, _PORTION)):
            self.new += portion
            yield True
        changing = model.changing(self.gone, self.new)
        while True:
            try:
                next(changing)
            except StopIteration as end:
                self._show = end.value
                return
            yield True


def _nothing() -> None:
    """Nothing is ready."""
