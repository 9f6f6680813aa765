"""`tandem surrogate` for tagged records without a project: doubts are settled by a rule."""

import argparse
import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.release.doubt import USUAL_CERTAINTY, DoubtRule
from shared.commands.new import BUILT_IN, schema_by_name
from shared.commands.output import print_problems, print_table, progress, write_json, write_text
from shared.commands.surrogate_report import surrogate_options
from shared.commands.tables import refuse_options, run_tables
from shared.errors import RequestError
from shared.formats.format_list import LISTED_TAGGED
from shared.text.blocks import counted

if TYPE_CHECKING:
    from adjudicator.release.unattended import UnattendedRelease
    from adjudicator.release.writing import ReleaseOptions

_RELEASED, _HELD_BACK, _NOT_READ = range(3)
_LISTED = 20
_TIMES = re.compile(r" (?:once|\d+ times)\b")
"""How often something is tagged, which would part places that are doubtful for one reason."""


def add_unattended(add: Callable[..., object]) -> None:
    """Add the options that are for tagged records without a project."""
    add(
        "--doubtful", type=DoubtRule, choices=list(DoubtRule), metavar="RULE",
        help="what to do where a person would have to look: mask puts a placeholder there, "
        "hold-back leaves the record out, but puts one where only a surrogate or the form of a "
        "tag is in doubt, keep-list too, but for the places that --keep-list names",
    )  # fmt: skip
    add(
        "--keep-list", type=Path, metavar="FILE",
        help="CSV with record, start and end of places that a person has reviewed as no PHI",
    )  # fmt: skip
    add(
        "--doubts", type=Path, metavar="FILE",
        help="write the doubtful places as CSV, without text: what is reviewed as no PHI may come "
        "back as --keep-list",
    )  # fmt: skip
    add(
        "--confidence", type=_probability, default=0.0, metavar="P",
        help="tags of which the recognizer was less sure, from 0 to 1, are doubtful too",
    )  # fmt: skip
    add(
        "--certainty", type=_probability, metavar="P",
        help="what tandem check finds with at least this certainty is doubtful (default "
        f"{USUAL_CERTAINTY[DoubtRule.HOLD_BACK]}, {USUAL_CERTAINTY[DoubtRule.MASK]} with mask, "
        "which costs words and no records); less finds more of what was missed, and more that is "
        "none",
    )  # fmt: skip
    add(
        "--from", dest="form", choices=LISTED_TAGGED, metavar="FORMAT",
        help=f"read only {', '.join(LISTED_TAGGED)} (default: whatever is there)",
    )  # fmt: skip
    add(
        "--schema", metavar="NAME",
        help=f"{BUILT_IN}, auto or a file (default: what fits the tags' types)",
    )  # fmt: skip
    add("--patient-pattern", metavar="REGEX", help="captures the patient in a record's name")
    add("--title", default="Records", metavar="TEXT", help="for the data card")


def is_unattended(arguments: argparse.Namespace) -> bool:
    """Whether records are meant. Raises RequestError where a project is, with options for them."""
    from shared.project.creation import SETTINGS

    in_project = (arguments.project / SETTINGS).exists()
    if in_project and (arguments.doubtful or arguments.keep_list or arguments.doubts):
        raise RequestError(
            "--doubtful is for tagged records; in a project people settle what is doubtful"
        )
    if in_project or arguments.out is None:
        return False
    if arguments.doubtful is None:
        raise RequestError(
            f"{arguments.project} is no project; for tagged records say what to do with what is "
            "doubtful: --doubtful mask, hold-back or keep-list"
        )
    return True


_NOT_IN_TABLES = (
    *("review", "unmark", "test", "new_ids", "accept_unreviewed", "replace", "keep_map", "seed"),
    *("keep_list", "doubts", "form", "schema", "patient_pattern"),
)


def run_in_tables(arguments: argparse.Namespace) -> int:
    """Write a table of records with surrogates; 1 where some are held back. Raises TandemError."""
    refuse_options(arguments, *_NOT_IN_TABLES)
    rule: DoubtRule | None = arguments.doubtful
    if rule is None or rule is DoubtRule.KEEP_LIST:
        raise RequestError("of a table, say what to do with doubtful places: mask or hold-back")
    read = arguments.read or arguments.tags.with_name(
        f"{arguments.tags.stem}.read{arguments.tags.suffix}"
    )
    tables = {"notes": arguments.project, "tags": arguments.tags}
    if arguments.read or read.exists():
        tables["read"] = read
    files = {
        each: str(path.absolute()) if (path := getattr(arguments, each)) else None
        for each in ("kinds", "not_phi", "key")
    }
    options = {
        **files,
        "language": arguments.language or "",
        "keep_weekdays": arguments.keep_weekdays,
        "mode": arguments.mode,
        "resample": arguments.names,
        "doubtful": rule,
        "confidence": arguments.confidence,
        "certainty": arguments.certainty,
    }
    named = tuple(Path(each) for each in files.values() if each)
    return run_tables(arguments, "surrogate", tables, options, named)


def run_unattended(arguments: argparse.Namespace, options: "ReleaseOptions") -> int:
    """Release what can be; 0 all of it, 1 some was held back, 2 some could not be read."""
    from adjudicator.release.doubt import DoubtSettings
    from adjudicator.release.unattended import make_unattended, schema_of_records
    from adjudicator.release.writing import check_options
    from shared.formats.corpus import read_corpus
    from shared.formats.patient_grouping import grouping_in_words
    from shared.formats.registry import FORMATS, TAGGED
    from shared.processes import available_cores

    _refuse_contradictions(arguments)
    formats = (FORMATS[arguments.form],) if arguments.form else TAGGED
    corpus = read_corpus(arguments.project, arguments.patient_pattern, formats=formats)
    print_problems(corpus.unread)
    print(grouping_in_words(corpus.patients), file=sys.stderr)
    for note in corpus.notes:
        print(note, file=sys.stderr)
    schema = (
        schema_by_name(arguments.schema, corpus.records)
        if arguments.schema
        else schema_of_records(corpus.records)
    )
    check_options(schema, options, arguments.mode, arguments.project)
    made = make_unattended(
        corpus,
        schema,
        surrogate_options(arguments, arguments.keep_list),
        DoubtSettings(
            arguments.doubtful, arguments.confidence, arguments.certainty, arguments.new_ids
        ),
        cores=arguments.cores or available_cores(),
        watch=lambda what, items: progress(items, what.lower()),
    )
    count = made.draft.record_count
    if count:
        made.write(arguments.title, options)
    if arguments.doubts is not None:
        write_text(_csv(made), arguments.doubts)
    _report(made, arguments, count)
    if made.failures:
        return _NOT_READ
    return _HELD_BACK if made.held or not count else _RELEASED


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    if (arguments.doubtful is DoubtRule.KEEP_LIST) != (arguments.keep_list is not None):
        raise RequestError("--doubtful keep-list and --keep-list FILE go together; give both")
    if arguments.keep_list is not None and arguments.not_phi is not None:
        raise RequestError("--keep-list and --not-phi say the same; give one of them")
    doubts = arguments.doubts
    if doubts is not None and doubts.resolve().is_relative_to(arguments.out.resolve()):
        raise RequestError("--doubts names records as they were; write it outside the release")
    if arguments.accept_unreviewed:
        raise RequestError("--accept-unreviewed is for projects; --doubtful says what is done here")


def _report(made: "UnattendedRelease", arguments: argparse.Namespace, count: int) -> None:
    if arguments.json is not None:
        write_json(_as_json(made, count), arguments.json)
    for note in _notes(made, arguments):
        print(f"tandem: {note}", file=sys.stderr)
    out = sys.stderr if arguments.json == "-" else sys.stdout
    if arguments.json is None:
        _print_tables(made)
    print(
        f"{arguments.out}: {counted(count, 'record')} released, {made.facts.masked} places masked"
        if count
        else "nothing was released",
        file=out if count else sys.stderr,
    )


def _print_tables(made: "UnattendedRelease") -> None:
    if made.failures:
        print(f"{counted(len(made.failures), 'record')} could not be read:")
        print_table([(each.name, each.reason) for each in made.failures], ["record", "reason"])
    held = [
        (patient_id, record_id, "; ".join(reasons))
        for (patient_id, record_id), reasons in made.held.items()
    ]
    if held:
        print(f"{counted(len(held), 'record')} held back:")
        print_table(held[:_LISTED], ["patient", "record", "reason"])
        if len(held) > _LISTED:
            print(f"... and {len(held) - _LISTED} more, see --json")
    if made.doubts:
        rows = Counter(_TIMES.sub("", each.what) for each in made.doubts).most_common()
        places = {(each.record_id, each.span) for each in made.doubts}
        print(f"{counted(len(places), 'doubtful place')}, see --doubts; one may be so twice:")
        print_table(rows[:_LISTED], ["what", "times"])


def _notes(made: "UnattendedRelease", arguments: argparse.Namespace) -> Iterator[str]:
    known = made.draft.source.settings.kinds
    if known.guessed:
        kinds = (f"{each.name} {known.kind(each)}" for each in known.guessed)
        yield f"kinds guessed from the names of types, see --kinds: {', '.join(kinds)}"
    if made.kept_elsewhere:
        yield f"{made.kept_elsewhere} places of the list are in no record here"
    if arguments.seed is not None:
        yield f"MADE WITH --seed {arguments.seed}: FOR TESTS ONLY, NOT FOR RELEASE"


def _as_json(made: "UnattendedRelease", count: int) -> dict[str, object]:
    return {
        "records": count,
        "released": bool(count),
        "unattended": made.facts.as_json(),
        "held_back": [
            {"patient": patient_id, "record": record_id, "reasons": list(reasons)}
            for (patient_id, record_id), reasons in made.held.items()
        ],
        "masked": [
            {"record": record_id, "start": span.start, "end": span.end}
            for each in made.settled.values()
            for record_id, span in sorted(each.masks)
        ],
        "doubts": [
            {
                "patient": each.patient_id,
                "record": each.record_id,
                "start": each.span[0] if each.span else None,
                "end": each.span[1] if each.span else None,
                "type": each.type_name,
                "what": each.what,
            }
            for each in made.doubts
        ],
        "failures": [{"record": each.name, "reason": each.reason} for each in made.failures],
    }


def _csv(made: "UnattendedRelease") -> str:
    from shared.text.harmless import as_cell

    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(["record", "start", "end", "type", "what"])
    for each in made.doubts:
        if each.span is not None:
            cells = map(as_cell, (each.type_name, each.what))
            writer.writerow([each.record_id, *each.span, *cells])
    return file.getvalue()


def _probability(said: str) -> float:
    number = float(said)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError("give a number from 0 to 1")
    return number
