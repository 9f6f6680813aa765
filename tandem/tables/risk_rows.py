"""What readers covered of a gold standard, as tables whose rows add up over parts."""

from collections import Counter
from collections.abc import Iterable, Mapping

from shared.model import PhiType
from shared.model.phi_traits import Identifier
from shared.risk.readers import Cells, ReaderCounts
from tandem.tag_rows import Row

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


def counts_of_rows(cells: Iterable[Row], beside: Mapping[str, Iterable[Row]]) -> ReaderCounts:
    """What the rows of such tables come to, those of many patients too."""
    found: dict[PhiType, Cells] = {}
    whole = Counter[tuple[str, Identifier, bool]]()
    sizes, outside = Counter[int](), Counter[PhiType]()
    for category, name, said, tags in cells:
        key = tuple(each == "1" for each in said)
        found.setdefault(PhiType(category, name), Counter())[key] += tags
    for reader, identifier, is_whole, patients in beside[WHOLE]:
        whole[reader, Identifier(identifier), bool(is_whole)] += patients
    for tags, patients in beside[SIZES]:
        sizes[tags] += patients
    for category, name, number in beside[OUTSIDE]:
        outside[PhiType(category, name)] += number
    return ReaderCounts(found, whole, sizes, outside)
