"""The map of `tandem surrogate`: its passphrase, opening it, and putting the originals back."""

import argparse
import json

from shared.commands.output import report, write_text
from shared.commands.passphrases import passphrase_of
from shared.text.blocks import counted


def map_passphrase(arguments: argparse.Namespace) -> str:
    """The passphrase of a map. Raises RequestError, FileError."""
    is_new = arguments.keep_map is not None
    return passphrase_of(arguments.passphrase_file, "the map", is_new=is_new)


def open_map(arguments: argparse.Namespace) -> int:
    """Print the rows of a map as JSON, as they are kept, or put its originals into a release."""
    from adjudicator.release.restored_records import check_restoring, opened_map, restore_release
    from adjudicator.release.writing import StoredMap

    if arguments.restore is None:
        kept = StoredMap(arguments.open_map, map_passphrase(arguments))
        write_text(json.dumps(opened_map(kept), indent=2) + "\n", arguments.json or "-")
        return 0
    release, out = arguments.restore
    check_restoring(release, out, arguments.project)
    kept = StoredMap(arguments.open_map, map_passphrase(arguments))
    count = restore_release(kept, release, out, arguments.project)
    said = f"{counted(count, 'record')} as they were; they name the patients again"
    data = {"folder": str(out), "restored": count}
    report(data, arguments, lambda: print(f"{out}: {said}"))
    return 0
