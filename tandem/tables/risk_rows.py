"""What readers covered of a gold standard, as tables whose rows add up over parts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from shared.model import PhiType
from shared.model.phi_traits import Identifier
from shared.risk.readers import Cells, ReaderCounts
from tandem.tag_rows import Row

if TYPE_CHECKING:
    import pandas as pd

CELL_COLUMNS = ["category", "type", "readers", "tags"]
"""`readers` says of each reader, in their order, whether it covered these tags, as "10"."""
WHOLE, SIZES, OUTSIDE = "whole", "sizes", "outside"
BESIDE_CELLS = {
    WHOLE: ["reader", "identifiers", "is_whole", "patients"],
    SIZES: ["tags", "patients"],
    OUTSIDE: ["category", "type", "suggestions"],
}
"""The tables beside that of tags: patients of whom a reader covered all or not, patients by how
many tags they have, and suggestions of a recognizer outside the gold standard."""


def rows_of_counts(counts: ReaderCounts) -> tuple[Iterable[Row], dict[str, Iterable[Row]]]:
    """What readers covered as rows of a table of tags, and of those beside it by name."""
    cells = (
        (*phi_type, "".join(str(int(each)) for each in said), tags)
        for phi_type, own in counts.cells.items()
        for said, tags in own.items()
    )
    whole = (
        (reader, identifier.value, int(is_whole), patients)
        for (reader, identifier, is_whole), patients in counts.whole.items()
    )
    outside = ((*phi_type, number) for phi_type, number in counts.outside.items())
    return cells, {WHOLE: whole, SIZES: counts.sizes.items(), OUTSIDE: outside}


def counts_of_frames(cells: "pd.DataFrame", beside: Mapping[str, "pd.DataFrame"]) -> ReaderCounts:
    """What the rows of such tables come to, those of many patients too."""
    found: dict[PhiType, Cells] = {}
    whole = Counter[tuple[str, Identifier, bool]]()
    sizes, outside = Counter[int](), Counter[PhiType]()
    for category, name, said, tags in _rows(cells, CELL_COLUMNS):
        key = tuple(each == "1" for each in said)
        found.setdefault(PhiType(category, name), Counter())[key] += int(tags)
    for reader, identifier, is_whole, patients in _rows(beside[WHOLE], BESIDE_CELLS[WHOLE]):
        whole[reader, Identifier(identifier), bool(is_whole)] += int(patients)
    for tags, patients in _rows(beside[SIZES], BESIDE_CELLS[SIZES]):
        sizes[int(tags)] += int(patients)
    for category, name, number in _rows(beside[OUTSIDE], BESIDE_CELLS[OUTSIDE]):
        outside[PhiType(category, name)] += int(number)
    return ReaderCounts(found, whole, sizes, outside)


def _rows(frame: "pd.DataFrame", columns: list[str]) -> Iterable[Row]:
    return frame[columns].itertuples(index=False, name=None)
