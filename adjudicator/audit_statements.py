"""What audits of a gold standard say, in the words of data card, window and `tandem audit`.

No text of a record, no id and no name: these sentences leave the hospital.
"""

from collections.abc import Iterator, Sequence

from adjudicator.audit_book import (
    HIDDEN,
    Audit,
    AuditBook,
    AuditStanding,
    adjudicated_records,
    standing,
)
from shared.errors import FileError
from shared.project.project import Project
from shared.risk.bounds import share_at_most
from shared.surrogates.residual_risk import RiskStatement
from shared.text.blocks import counted

AUDITS = "audits"
_TITLE = "Records that were drawn at random and read in full"
_ENOUGH = 0.8
"""Who marks less than this share of what is known to be there has not read for PHI."""
_NO_AUDIT = "No audit was made: nobody read records that were drawn at random for what was left."


def audit_statement(project: Project) -> RiskStatement:
    """What the audits of a project say, beside its gold standard as it is now."""
    try:
        audits = AuditBook(project).audits()
        now = adjudicated_records(project) if audits else {}
    except FileError:
        return no_audit("This cannot be told: the audits, or what they are about, cannot be read.")
    return statement_of([standing(each, now) for each in audits])


def no_audit(why: str = _NO_AUDIT) -> RiskStatement:
    return RiskStatement(AUDITS, _TITLE, (why,), is_told=False)


def statement_of(audits: Sequence[AuditStanding]) -> RiskStatement:
    """What these audits say, the earliest first."""
    if not audits:
        return no_audit()
    return RiskStatement(
        AUDITS,
        _TITLE,
        tuple(
            f"Audit {number}: {' '.join(audit_sentences(each))}"
            for number, each in enumerate(audits, start=1)
        ),
        tuple(_limits(audits)),
        {"audits": [audit_figures(each) for each in audits]},
        is_told=any(each.audit.readings for each in audits),
    )


def audit_figures(found: AuditStanding) -> dict[str, object]:
    audit, bound = found.audit, found.audit.bound
    return {
        "drawn_on": audit.draw.at[:10],
        "archive": len(audit.draw.archive),
        "drawn": len(audit.draw.record_ids),
        "seed": audit.draw.seed,
        "tags": audit.draw.tags,
        "read": len(audit.read),
        "with_phi": len(audit.with_phi),
        "phi": audit.found,
        "bound": round(bound.share, 5),
        "method": bound.method,
        "changed_before_reading": len(found.mended),
        "changed_since": len(found.changed),
        "new_since": len(found.new),
        "not_yet_in_gold": len(found.pending),
    }


def audit_sentences(found: AuditStanding) -> Iterator[str]:
    """What an audit came to, and what has changed since."""
    audit, draw = found.audit, found.audit.draw
    drawn, read = len(draw.record_ids), len(audit.read)
    how = "without" if draw.tags == HIDDEN else "with"
    yield (
        f"{counted(drawn, 'record')} of {len(draw.archive):,} adjudicated ones "
        f"{'was' if drawn == 1 else 'were'} drawn at random on {draw.at[:10]}."
    )
    if not read:
        yield "None of them was read to the end: this audit says nothing yet."
        return
    yield (
        f"{'All' if read == drawn else f'{read:,} of them'} were read to the end by a person, "
        f"{how} the tags in sight; {_left(audit)}."
    )
    yield bound_sentence(audit)
    if found.pending:
        yield (
            f"What was found in {counted(len(found.pending), 'record')} is not yet in the gold "
            "standard."
        )
    if draw.seed is not None:
        yield "The draw was made with a seed: whoever chose it could know what it would draw."
    yield from _changes(found)


def bound_sentence(audit: Audit) -> str:
    """The bound in words, rounded upwards."""
    bound, unread = audit.bound, len(audit.unread)
    if bound.share >= 1 and unread:
        return (
            f"{unread:,} {'is' if unread == 1 else 'are'} not read yet: there is no bound so far."
        )
    said = (
        f"With 95 % confidence no more than {share_at_most(bound.share)} of the records had PHI "
        f"left at that time (exact {bound.method} bound)"
    )
    if unread:
        said += f"; the {unread:,} not read to the end are counted as having some"
    return f"{said}.{_caution(audit)}"


def _caution(audit: Audit) -> str:
    """What is to be said where its readers marked too little of what is known to be there."""
    known, seen = _known([audit])
    if seen >= _ENOUGH * known:
        return ""
    return (
        f" Of the {known:,} PHI that were known there its readers marked {seen:,}: who overlooks "
        "so many overlooks what is left too. Do not rely on this bound."
    )


def _left(audit: Audit) -> str:
    records, left = len(audit.with_phi), audit.found
    if not records:
        return "PHI was found left in none"
    return f"PHI was found left in {records:,} of them ({left:,} in all)"


def _changes(found: AuditStanding) -> Iterator[str]:
    if found.mended:
        yield (
            f"The gold standard of {counted(len(found.mended), 'record')} changed between the "
            "draw and the reading, as it would if somebody mended what was drawn: the bound may be "
            "too low."
        )
    if found.changed:
        yield (
            f"Gold changed since: that of {counted(len(found.changed), 'record')} is not as the "
            "audit knew it."
        )
    if found.new:
        yield (
            f"{counted(len(found.new), 'record')} adjudicated since could not be drawn: the bound "
            "says nothing of them."
        )


def _known(audits: Sequence[Audit]) -> tuple[int, int]:
    """How many tags the records had that were read with none in sight, and how many were marked."""
    hidden = (each for each in audits if each.draw.tags == HIDDEN)
    readings = [each for one in hidden for each in one.readings]
    return sum(each.known for each in readings), sum(each.seen for each in readings)


def _limits(audits: Sequence[AuditStanding]) -> Iterator[str]:
    known, seen = _known([each.audit for each in audits])
    told = f": of the {known:,} PHI that were known there, they marked {seen:,}" if known else ""
    yield (
        "A record counts as clean where its reader found nothing that the gold standard lacks. "
        f"Readers of audits overlook PHI too{told}."
    )
    if any(each.audit.draw.tags != HIDDEN for each in audits):
        yield "Who reads with the tags in sight overlooks more than who reads bare text."
    if len(audits) > 1:
        yield (
            "Records were drawn more than once; every draw is listed, and each bound is about its "
            "own draw alone."
        )
    yield (
        "A bound is about the records as they were tagged when they were drawn, not about "
        "surrogates; what was found has been tagged since, but for what is said above."
    )
