"""The data card of a release that is there: said anew, whole or not at all."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from shared.errors import ChangedOnDiskError, FileFormatError, RequestError
from shared.project.files import read_file, write_atomic
from shared.project.folders import bring_back, changed_folder_atomically
from shared.surrogates.data_card import CARD
from shared.surrogates.release import MARKER
from shared.surrogates.residual_risk import RiskStatement, dated, with_statements


def rewrite_card(out: Path, statements: Iterable[RiskStatement], day: str) -> None:
    """Let the card of the release in `out` say this of what may be left, as asked on that day.

    What it says besides stays. Its two files change in one step, that of the folder: whoever opens
    them finds both old or both new, whenever this process ends. Raises RequestError where there is
    no release, FileError; both files of the card are as they were then.
    """
    bring_back(out)
    card, text = read_file(out / MARKER), read_file(out / CARD)
    if card is None or text is None:
        raise RequestError(f"{out} is not a release with a data card; give the folder of one")
    try:
        new_card, new_text = with_statements(card, text, dated(statements, day))
    except ValueError:
        raise FileFormatError(out / MARKER, "is not a data card; release again") from None
    with changed_folder_atomically(out, "the writing of a data card") as folder:
        for name, new in ((CARD, new_text), (MARKER, new_card)):
            write_atomic(folder / name, new)
            shutil.copymode(out / name, folder / name)
        for name, old in ((CARD, text), (MARKER, card)):
            if read_file(out / name) != old:
                raise ChangedOnDiskError(out / name)
