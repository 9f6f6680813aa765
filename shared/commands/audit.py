"""`tandem audit`: records drawn at random and read in full before a release, and their bound."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.audit_book import HIDDEN, SHOWN
from shared.commands.output import add_json, progress, report
from shared.errors import RequestError
from shared.text.blocks import counted

if TYPE_CHECKING:
    from adjudicator.audit_book import Audit, AuditBook, AuditStanding
    from shared.project.project import Project

_DESCRIPTION = """
Acceptance sampling before a release. --sample draws records at random from those that are
adjudicated, once and for good: they are read in full in a window (--read, or View > What
may be left, in the adjudication window), what is found goes into the gold standard, and the exact
upper bound with 95 % confidence on the share of records with PHI left is printed and kept. Only
records that were on the screen to the end count; what is not read counts as having PHI left.
--for-bound .01 says how many records to read, all of them clean, for that bound. Without an option
it says where audits stand. Status 1: PHI was found left in the latest.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("project", type=Path, metavar="PROJECT", help="an adjudicated project")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--sample", type=int, metavar="N", help="draw so many records to be read")
    what.add_argument(
        "--for-bound", type=_share, metavar="SHARE",
        help="say how many records to read for this bound with nothing found, such as .01",
    )  # fmt: skip
    what.add_argument("--read", action="store_true", help="open the window to read what was drawn")
    parser.add_argument(
        "--tags", choices=(HIDDEN, SHOWN), default=HIDDEN,
        help="whether who reads sees no tags (the default), or those of the gold standard",
    )  # fmt: skip
    parser.add_argument(
        "--new-draw", action="store_true",
        help="draw again although there is a draw; both are kept, and the data card says so",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, metavar="N", help="draw by this; the data card says so")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draw, or say where audits stand; 1 where PHI was found left in the latest."""
    from adjudicator.audit_book import AuditBook, adjudicated_records, standing
    from shared.project.current_user import current_user
    from shared.project.project import Project

    project = Project.open(arguments.project)
    book = AuditBook(project)
    if arguments.read:
        return _read(project, book)
    now = adjudicated_records(project, lambda ids: progress(ids, "reading"))
    if arguments.for_bound is not None:
        return _say_how_many(arguments, len(now))
    if arguments.sample is not None:
        earlier = book.latest()
        if earlier is not None and not arguments.new_draw:
            _refuse_again(earlier)
        book.draw(now, arguments.sample, current_user(), arguments.tags, arguments.seed)
    audits = [standing(each, now) for each in book.audits()]
    report({"audits": [_as_json(each) for each in audits]}, arguments, lambda: _print(audits))
    return int(bool(audits and audits[-1].audit.with_phi))


def _read(project: "Project", book: "AuditBook") -> int:
    if book.latest() is None:
        raise RequestError("no records were drawn yet; draw some with --sample N")
    from adjudicator import app
    from shared.commands.display import require_display

    require_display()
    return app.run_audit(project)


def _say_how_many(arguments: argparse.Namespace, archive: int) -> int:
    from shared.risk.bounds import sample_for_bound

    if not archive:
        raise RequestError("no record is adjudicated yet; there is nothing to audit")
    wanted = sample_for_bound(arguments.for_bound, archive)
    endless = sample_for_bound(arguments.for_bound, 10**9)
    said = (
        f"{counted(wanted, 'record')} of {archive:,} to read, nothing found in any, for a bound of "
        f"{arguments.for_bound:g} ({endless:,} of an archive without end)"
    )
    data = {
        "bound": arguments.for_bound,
        "records": wanted,
        "archive": archive,
        "endless_archive": endless,
    }
    report(data, arguments, lambda: print(said))
    return 0


def _refuse_again(earlier: "Audit") -> None:
    draw = earlier.draw
    raise RequestError(
        f"{counted(len(draw.record_ids), 'record')} were drawn on {draw.at[:10]}, "
        f"{len(earlier.read):,} of them read; read those, or draw again with --new-draw, which "
        "the data card tells"
    )


def _as_json(found: "AuditStanding") -> dict[str, object]:
    from adjudicator.audit_statements import audit_figures, audit_sentences

    audit = found.audit
    return {
        **audit_figures(found),
        "by": audit.draw.by,
        "at": audit.draw.at,
        "records": [
            {
                "record": record_id,
                "read": record_id in audit.read,
                "with_phi": record_id in audit.with_phi,
            }
            for record_id in audit.draw.record_ids
        ],
        "says": list(audit_sentences(found)),
    }


def _print(audits: "list[AuditStanding]") -> None:
    from adjudicator.audit_statements import statement_of

    statement = statement_of(audits)
    for each in statement.says:
        print(each)
    for each in statement.limits if audits else ():
        print(f"Limit: {each}")
    unread = audits[-1].audit.unread if audits else []
    if unread:
        where = "--read, or View > What may be left, in the adjudication window"
        print(f"To read ({where}): {', '.join(unread)}")


def _share(value: str) -> float:
    share = float(value)
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError("give a share between 0 and 1, such as .01")
    return share
