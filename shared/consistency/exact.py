"""Text that is tagged in one place of a patient's records and not in another, as it stands."""

from collections.abc import Iterable

from shared.consistency.check import check_patient as check
from shared.consistency.findings import EXACT_KINDS, Finding
from shared.model import Document, Layer


def check_patient(documents: Iterable[Document], layers: Iterable[Layer]) -> tuple[Finding, ...]:
    """Return every untagged place of a patient's records whose text is tagged elsewhere in them.

    Certain or not: see `shared.consistency.check` for the other kinds and how places are found.
    """
    return check(documents, layers, EXACT_KINDS, certainty=0.0)
