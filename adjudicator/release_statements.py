"""What attackers find in a release and what it is worth, in words for its data card.

No text of a record, no patient and no annotator is named: these sentences leave the hospital.
"""

from collections.abc import Iterator, Mapping
from math import ceil, floor
from pathlib import Path

from adjudicator.release.card import is_outdated
from adjudicator.release_risk import COPIES, ROUNDS, ReleaseRisk
from shared.errors import FileFormatError
from shared.outside import MALFORMED, parse_json_object
from shared.project.files import read_file
from shared.project.folders import bring_back
from shared.project.project import Project
from shared.risk.attack import TOPS, Attacker, AttackFigures
from shared.risk.bounds import interval, share_at_least, share_at_most
from shared.risk.utility import LostF1, NewWords
from shared.surrogates.release import MARKER
from shared.surrogates.residual_risk import KEY, RiskStatement, risk_from_json
from shared.text.blocks import counted

ATTACK, UTILITY = "attack", "utility"
_TITLES = {
    ATTACK: "What somebody would find who looks for PHI that was left",
    UTILITY: "Use: what the release is worth to recognizers, and the days between dates",
}
_WHO = {
    Attacker.WITH_TAGS: "Who has the release with its tags, and trains a recognizer on them",
    Attacker.TEXT_ALONE: (
        "Who has the text alone, marks half of it by hand without a fault and trains on that "
        "(the parrot attack of Carrell and others, 2019)"
    ),
    Attacker.COUNTING: "Who has the text alone and looks for names that stand once",
}
_OUTDATED = {
    False: "",
    True: "What it says of annotators and audits was asked before somebody changed a layer, a "
    "state or an audit. Measure the release, and it says all of it anew.",
    None: "This project has not kept of which layers, states and audits it tells, so whether "
    "somebody has changed them since cannot be told.",
}
_ATTACK_LIMITS = (
    "The misses were drawn by chance. What people miss is rather what is hard to see, and then "
    "recognizers see less of it too.",
    "An attacker may know more than this: people and places, other records, better recognizers. "
    "Then more is found.",
    "A person who reads with care may see what these attackers do not, and among placeholders "
    "every name that was left is plain to see.",
    "What was suspected and not planted counts as wrong, though it may be PHI.",
    f"The copies were drawn anew, {COPIES} for each share, with the usual kinds of surrogate and "
    "without those that people wrote.",
    "In brackets: intervals of 95 %.",
)
_UTILITY_LIMITS = (
    f"Measured with a quick recognizer (a CRF) on {ROUNDS} draws of halves; others may lose more "
    "or less. In brackets: intervals of 95 % for other patients of this kind.",
    "What was known by heart counts as lost where it was replaced, so that where a few hospitals "
    "and towns stand in most records, more is lost on the release. Surrogates that were the same "
    "for all patients would be as new to who learnt from authentic records.",
    "Only dates that name day, month and year are counted.",
)


def known_of_release(project: Project, out: Path) -> list[RiskStatement]:
    """What the card of a release says of attacks on it and of its use, or that nobody has asked.

    With that what it says of readers and audits is of other work than the project has now, or may
    be. Raises RequestError where the card is of another release, FileError where it cannot be read.
    """
    bring_back(out)
    data = read_file(out / MARKER)
    if data is None:
        return _unasked("There is no release in this folder.")
    try:
        said = risk_from_json(parse_json_object(data).get(KEY, {}))
    except MALFORMED:
        raise FileFormatError(out / MARKER, "is not a data card; release again") from None
    measured = [each for each in said if each.key in _TITLES]
    unmeasured = _unasked("Nobody has measured this release yet.")
    old = _OUTDATED[is_outdated(project, out)]
    cards = [RiskStatement("card", "Its data card", (old,), is_told=False)] if old else []
    return [*cards, *(measured or unmeasured)]


def _unasked(why: str) -> list[RiskStatement]:
    return [RiskStatement(key, title, (why,), is_told=False) for key, title in _TITLES.items()]


def attack_statements(found: ReleaseRisk) -> list[RiskStatement]:
    """What the card of a release says of attacks on it and of its use."""
    return [
        RiskStatement(
            ATTACK,
            _TITLES[ATTACK],
            tuple(_attack_sentences(found)),
            _ATTACK_LIMITS,
            attack_figures(found),
        ),
        RiskStatement(
            UTILITY,
            _TITLES[UTILITY],
            tuple(_utility_sentences(found)),
            _UTILITY_LIMITS,
            utility_figures(found),
        ),
    ]


def _attack_sentences(found: ReleaseRisk) -> Iterator[str]:
    yield (
        "To learn how well PHI that was left could be found, some was left in copies of this "
        "release on purpose."
    )
    for rate, figures in found.figures.items():
        yield from _of_rate(rate, figures)
    there = counted(len(found.places), "place")
    yield (
        f"In this release itself a recognizer that was trained on other patients' tags takes "
        f"{there} for PHI that {'is' if len(found.places) == 1 else 'are'} not tagged."
    )
    for first in TOPS:
        shares = [
            f"{share_at_least(share)} where {rate * 100:g} % had been left"
            for rate, figures in found.figures.items()
            if (share := figures.top(Attacker.WITH_TAGS, first)) is not None
        ]
        if shares:
            said = " and ".join(shares)
            yield f"In the copies, of the first {first} such places {said} were planted ones."
    yield (
        f"Who has the text alone would take {counted(found.misled, 'replacement')} of this "
        "release for PHI that was left."
    )


def _of_rate(rate: float, figures: AttackFigures) -> Iterator[str]:
    planted, quiet, share = len(figures.misses), figures.unnoticed, f"{rate * 100:g} %"
    if not planted:
        yield f"{share} left: no PHI was drawn, so nothing can be told."
        return
    gone_out = len(quiet.misses)
    yield (
        f"{share} left, {counted(planted, 'place')} in all: {_of(figures.held_up, planted)} would "
        f"have held the release up, {gone_out} would have gone out."
    )
    for attacker, who in _WHO.items():
        precision = figures.precision(attacker)
        right = (
            "suspects nothing" if precision is None
            else f"is right in {share_at_most(precision)} of what is suspected"
        )  # fmt: skip
        yield (
            f"{share} left. {who}, finds {_of(figures.exposed(attacker), planted)}, "
            f"{quiet.exposed(attacker)} of the {gone_out} that would have gone out, and {right}."
        )
    yield (
        f"{share} left. From those who have the text alone {_of(figures.hidden, planted)} stay "
        f"hidden, {quiet.hidden} of the {gone_out} that would have gone out."
    )


def _utility_sentences(found: ReleaseRisk) -> Iterator[str]:
    if found.losses is not None:
        learnt, read = found.losses
        yield (
            "A recognizer trained on one half of the patients read the authentic records of the "
            f"other half with a strict F1 of {learnt.plain:.3f}; trained on the same patients "
            f"as released, it lost {_lost(learnt)}."
        )
        yield (
            "One trained on the authentic records of one half and measured on the other half as "
            f"released lost {_lost(read)}."
        )
        yield from _of_new_words(*found.new_words)
        if found.alike is not None:
            yield from _of_alike(found.alike)
    days = found.intervals
    if not days.pairs:
        yield "No patient has two full dates, so there are no days between dates to compare."
        return
    yield (
        f"Of {days.pairs:,} pairs of full dates of one patient {days.kept:,} are as many days "
        "apart as they were."
    )
    for count, why in (
        (days.too_old, "have a date more than 90 years before the patient's latest, moved nearer"),
        (days.gone, "have a date that names no day any more"),
        (days.otherwise, "differ for no known reason"),
    ):
        if count:
            yield f"{count:,} {why}."


def _of_new_words(authentic: NewWords, released: NewWords) -> Iterator[str]:
    """How far what was lost on the release is what a recognizer knew by heart."""
    if not authentic.tags or not released.tags:
        return
    yield (
        "What stands in the records of several patients, as a hospital, a town or a year does, a "
        "recognizer knows by heart; surrogates are drawn for each patient. "
        f"{_share(authentic.new, authentic.tags)} of the tags with words or numbers that this one "
        "read had one that was new to it in a tag of the type where they were authentic, "
        f"{_share(released.new, released.tags)} where they were released."
    )
    if authentic.new and released.new:
        yield (
            f"Of those with a new one it found {_share(authentic.found, authentic.new)} where "
            f"they were authentic, {_share(released.found, released.new)} where they were released."
        )


def _of_alike(alike: LostF1) -> Iterator[str]:
    yield (
        "On authentic records with as many such words and numbers, type by type, it would have had "
        f"a strict F1 of {alike.plain:.3f}. Beside that the release lost {_lost(alike)}, for other "
        "reasons than that its words are new."
    )
    if alike.unmatched:
        yield (
            f"{share_at_most(alike.unmatched)} of the released tags are like none that was "
            "authentic, and count as if they lost nothing for other reasons."
        )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def attack_figures(found: ReleaseRisk) -> dict[str, object]:
    return {
        "records": found.records,
        "patients": len(found.patient_ids),
        "suspicious_places": len(found.places),
        "replacements_taken_for_left": found.misled,
        "planted": [
            {
                "rate": rate,
                "places": len(figures.misses),
                "held_up": figures.held_up,
                "hidden_in_text_alone": figures.hidden,
                "unnoticed_hidden_in_text_alone": figures.unnoticed.hidden,
                "attackers": {each.value: _attacker(each, figures) for each in Attacker},
            }
            for rate, figures in found.figures.items()
        ],
    }


def _attacker(attacker: Attacker, figures: AttackFigures) -> dict[str, object]:
    planted, exposed = len(figures.misses), figures.exposed(attacker)
    precision = figures.precision(attacker)
    return {
        "found": exposed,
        "found_of_unnoticed": figures.unnoticed.exposed(attacker),
        "recall": round(exposed / planted, 4) if planted else None,
        "recall_interval": list(interval(exposed, planted)) if planted else None,
        "precision": None if precision is None else round(precision, 4),
        "first": {
            str(first): round(share, 4)
            for first in TOPS
            if (share := figures.top(attacker, first)) is not None
        },
    }


def utility_figures(found: ReleaseRisk) -> dict[str, object]:
    days = found.intervals
    names = ("trained_on_release", "measured_on_release")
    lost: Mapping[str, LostF1] = dict(zip(names, found.losses or (), strict=False))
    if found.alike is not None:
        lost = {**lost, "measured_on_release_as_familiar": found.alike}
    return {
        **{
            name: {
                "f1": round(each.plain, 4),
                "lost": round(each.lost, 4),
                "interval": [round(each.low, 4), round(each.high, 4)],
            }
            for name, each in lost.items()
        },
        "new_words": {
            name: {"tags": each.tags, "new": each.new, "new_found": each.found}
            for name, each in zip(("authentic", "released"), found.new_words, strict=True)
        },
        "pairs_of_dates": days.pairs,
        "same_interval": days.kept,
        "too_old": days.too_old,
        "no_day_any_more": days.gone,
        "otherwise": days.otherwise,
    }


def _of(count: int, every: int) -> str:
    low, high = interval(count, every)
    return f"{count} of {every} ({share_at_least(low)} to {share_at_most(high)})"


def _lost(loss: LostF1) -> str:
    """What is lost, never said smaller than it is, nor its interval narrower."""
    low, high = floor(loss.low * 1000 + 1e-9) / 1000, _up(loss.high)
    return f"{_up(loss.lost):.3f} ({low:.3f} to {high:.3f})"


def _up(value: float) -> float:
    return ceil(value * 1000 - 1e-9) / 1000
