"""The data card of a release that is there: said anew, whole or not at all."""

from collections.abc import Iterable
from pathlib import Path

from shared.errors import FileFormatError, RequestError
from shared.project.files import digest_of, read_file, write_atomic
from shared.surrogates.data_card import CARD
from shared.surrogates.release import MARKER
from shared.surrogates.residual_risk import RiskStatement, with_statements


def rewrite_card(out: Path, statements: Iterable[RiskStatement]) -> None:
    """Let the card of the release in `out` say this of what may be left.

    What it says besides stays. Raises RequestError where there is no release, FileError; both
    files of the card are as they were then.
    """
    card, text = read_file(out / MARKER), read_file(out / CARD)
    if card is None or text is None:
        raise RequestError(f"{out} is not a release with a data card; give the folder of one")
    try:
        new_card, new_text = with_statements(card, text, statements)
    except ValueError:
        raise FileFormatError(out / MARKER, "is not a data card; release again") from None
    written = write_atomic(out / CARD, new_text, expected_digest=digest_of(text))
    try:
        write_atomic(out / MARKER, new_card, expected_digest=digest_of(card))
    except BaseException:
        write_atomic(out / CARD, text, expected_digest=written)
        raise
