"""`tandem assign`: who has which patient, changed after the project was made."""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import add_json, print_table, report
from shared.commands.recognizer_options import share_between
from shared.commands.records import add_reading, read_records, reading_of, refuse_broken
from shared.errors import RequestError
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.project.even_shares import Moves, Pair
    from shared.project.new_patients import NewPatients
    from shared.project.project import Project

_USAGE = """%(prog)s [-h] [--json FILE] PROJECT [--dry-run]
       (--give ANNOTATOR PATIENTS | --take-back ANNOTATOR PATIENTS) ...
       %(prog)s [-h] [--json FILE] PROJECT [--dry-run] [--seed N] [--even]
       [--add ANNOTATOR ...] [--leave ANNOTATOR ...]
       [--records DIR [--gold DIR] [--per-patient N]] [--known-answers RATE]
       %(prog)s [-h] [--json FILE] PROJECT --training ANNOTATOR PATIENTS [--pass-mark F1]
       %(prog)s [-h] [--json FILE] PROJECT --end-training ANNOTATOR"""
_PASS_MARK = 0.8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Give patients to annotators and take patients back that they have not begun, one by one "
        "or evenly: to annotators who join, from those who leave, and patients that are new. No "
        "work that is there is touched: what is begun stays where it is, and so does a patient "
        "whose adjudication has begun."
    )
    parser.usage = _USAGE % {"prog": parser.prog}  # options of many words would take PROJECT, too
    parser.add_argument("project", type=Path, metavar="PROJECT")
    for option, about in (
        ("--give", "an annotator, and the patients to give to them; may be there several times"),
        ("--take-back", "an annotator, and the patients to take back from them; likewise"),
    ):
        parser.add_argument(
            option,
            nargs="+",
            action="append",
            default=[],
            metavar=("ANNOTATOR", "PATIENTS"),
            help=about,
        )
    _add_sharing(parser)
    parser.add_argument(
        "--training",
        nargs="+",
        metavar=("ANNOTATOR", "PATIENTS"),
        help="a training round before real work: an annotator, and patients with a gold standard "
        "which they see beside their own tags as soon as one is done",
    )
    parser.add_argument(
        "--pass-mark",
        type=share_between,
        default=_PASS_MARK,
        metavar="F1",
        help="the F1, from 0 to 1, of all tags of the round (same span, same type) that passes it "
        f"(default {_PASS_MARK})",
    )
    parser.add_argument(
        "--end-training",
        metavar="ANNOTATOR",
        help="let an annotator go on to real work, whatever the round came to",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would change, and change nothing"
    )
    add_json(parser)


def _add_sharing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--add",
        nargs="+",
        default=[],
        metavar="ANNOTATOR",
        help="annotators who join, or come back, and get an even share of what is not begun",
    )
    parser.add_argument(
        "--leave",
        nargs="+",
        default=[],
        metavar="ANNOTATOR",
        help="annotators who leave: what they have not begun goes to the others evenly, their "
        "work stays theirs",
    )
    parser.add_argument(
        "--even", action="store_true", help="share out evenly what is not begun, without more"
    )
    parser.add_argument(
        "--records",
        type=Path,
        metavar="DIR",
        help="records of new patients, in any format that tandem new reads; given out evenly",
    )
    parser.add_argument(
        "--gold",
        type=Path,
        metavar="DIR",
        help="a gold standard of new records; patients who have it are not given out",
    )
    parser.add_argument(
        "--patient-pattern", metavar="REGEX", help="as in tandem new, for the new records"
    )
    add_reading(parser)
    parser.add_argument(
        "--per-patient",
        type=int,
        metavar="N",
        help="how many annotators a new patient goes to (default: as most patients)",
    )
    parser.add_argument(
        "--known-answers",
        type=share_between,
        metavar="RATE",
        help="from now on mix in so many patients with a gold standard for each that is not begun, "
        "such as .1, whom the annotator cannot tell from others; tandem status --known-answers "
        "says what came of them",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed for what is drawn (default 0)")


def run(arguments: argparse.Namespace) -> int:
    from shared.project.even_shares import Moves
    from shared.project.project import Project
    from shared.project.work_sharing import reassign

    project = Project.open(arguments.project)
    if arguments.training or arguments.end_training:
        return _train(project, arguments)
    is_by_name = bool(arguments.give or arguments.take_back)
    if is_by_name == _is_even(arguments):
        raise RequestError(
            "name what to --give or to --take-back, or who is to --add or --leave, or --records, "
            "--known-answers or --even; not both"
        )
    if arguments.gold and not arguments.records:
        raise RequestError("--gold goes with the --records of the new patients")
    if is_by_name:
        moves = Moves(_pairs(arguments.give), _pairs(arguments.take_back))
        reassign(project, moves.give, moves.take_back, dry_run=arguments.dry_run)
        change = _Change(moves, project.annotators)
    else:
        change = _share_out(project, arguments)
    _report(project, arguments, change)
    return 0


def _share_out(project: "Project", arguments: argparse.Namespace) -> "_Change":
    """Share out evenly; each step can be done again where the one before it was the last."""
    from shared.project.new_patients import add_patients
    from shared.project.work_sharing import (
        Staffing,
        mix_in_known_answers,
        planned_moves,
        reassign,
        set_known_answer_rate,
    )

    new = _new_patients(project, arguments)
    staffing = Staffing((*arguments.add,), (*arguments.leave,), arguments.per_patient)
    names, left = staffing.changed(project.plan)
    moves = planned_moves(project, staffing, arguments.seed, new.to_annotate if new else ())
    if arguments.dry_run:
        return _Change(moves, names, new)
    if arguments.known_answers is not None:
        set_known_answer_rate(project, arguments.known_answers)
    if new is not None:
        add_patients(project, new)
    project.set_staffing(annotators=names, left=left)
    reassign(project, moves.give, moves.take_back)
    answers, wanting = mix_in_known_answers(project, arguments.seed)
    return _Change(moves, names, new, answers, wanting)


@dataclass(frozen=True, slots=True)
class _Change:
    """What is done, or would be, with all annotators.

    `answers` are known-answer patients that were given, `wanting` how many more were wanted.
    """

    moves: "Moves"
    names: Sequence[str]
    new: "NewPatients | None" = None
    answers: "tuple[Pair, ...]" = ()
    wanting: int = 0


def _is_even(arguments: argparse.Namespace) -> bool:
    is_rated = arguments.known_answers is not None
    return bool(arguments.add or arguments.leave or arguments.records or arguments.even or is_rated)


def _train(project: "Project", arguments: argparse.Namespace) -> int:
    from shared.project.training_rounds import TrainingRound
    from shared.project.work_sharing import begin_training, end_training

    if arguments.dry_run or arguments.give or arguments.take_back or _is_even(arguments):
        raise RequestError("a training round begins or ends in a call of its own")
    if not arguments.training:
        end_training(project, arguments.end_training)
        name, words = arguments.end_training, "goes on to real work"
    elif arguments.end_training:
        raise RequestError("--training and --end-training are not for one call")
    else:
        pairs = _pairs([arguments.training])
        one = TrainingRound(tuple(dict.fromkeys(each for each, _ in pairs)), arguments.pass_mark)
        name = pairs[0][1]
        begin_training(project, name, one)
        words = f"trains on {counted(len(one.patients), 'patient')}, F1 {one.pass_mark:g} passes"
    rounds = [asdict(each) for each in project.plan.training_of(name)]
    report({"annotator": name, "training": rounds}, arguments, lambda: print(f"{name} {words}"))
    return 0


def _new_patients(project: "Project", arguments: argparse.Namespace) -> "NewPatients | None":
    from shared.formats.registry import TAGGED
    from shared.project.new_patients import NewPatients

    if arguments.records is None:
        return None
    reading = reading_of(arguments)
    folder = read_records(arguments.records, arguments.patient_pattern, reading=reading)
    refuse_broken(folder, "nothing was changed")
    if not arguments.gold:
        return NewPatients.of(project, folder.records)
    gold = read_records(arguments.gold, arguments.patient_pattern, formats=TAGGED, reading=reading)
    refuse_broken(gold, "nothing was changed")
    return NewPatients.of(project, folder.records, gold.records)


def _report(
    project: "Project",
    arguments: argparse.Namespace,
    change: _Change,
) -> None:
    from shared.project.assignments import State

    moves, new = change.moves, change.new
    assignments = project.all_assignments()
    loads = Counter(each.annotator for each in assignments)
    to_do = Counter(each.annotator for each in assignments if each.state is State.TO_DO)
    if arguments.dry_run:
        for counts in (loads, to_do):
            counts.update(name for _, name in moves.give)
            counts.subtract(name for _, name in moves.take_back)
    rows = [(name, loads[name], to_do[name]) for name in change.names]
    data = {
        "dry_run": arguments.dry_run,
        "seed": arguments.seed,
        "new_patients": list(new.patient_ids) if new else [],
        "with_gold": [each for each in new.patient_ids if each not in new.to_annotate]
        if new
        else [],
        "given": _named(moves.give),
        "taken_back": _named(moves.take_back),
        "known_answers": _named(change.answers),
        "known_answers_wanting": change.wanting,
        "annotators": [
            {"annotator": name, "patients": load, "to_do": left} for name, load, left in rows
        ],
    }
    report(data, arguments, lambda: _print(arguments, change, rows))


def _print(
    arguments: argparse.Namespace,
    change: _Change,
    rows: Iterable[tuple[str, int, int]],
) -> None:
    moves, new = change.moves, change.new
    if arguments.dry_run:
        print("nothing is changed; this is what would be:")
    if new is not None:
        with_gold = len(new.patient_ids) - len(new.to_annotate)
        kept = f", {with_gold} of them with a gold standard, not given out" if with_gold else ""
        print(f"{counted(len(new.patient_ids), 'new patient')}{kept}")
    given, taken_back = (counted(len(each), "patient") for each in (moves.give, moves.take_back))
    print(f"{given} given, {taken_back} taken back")
    if change.answers or change.wanting:
        wanting = f"; {change.wanting} more are wanted than have a gold standard"
        print(f"{counted(len(change.answers), 'known-answer patient')} mixed in"
              f"{wanting if change.wanting else ''}")  # fmt: skip
    if arguments.dry_run:
        changes = [(*each, "given") for each in moves.give]
        changes += [(*each, "taken back") for each in moves.take_back]
        print_table(changes, ["patient", "annotator", "is"])
    print_table(rows, ["annotator", "patients", "to do"])


def _named(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"patient": patient_id, "annotator": name} for patient_id, name in pairs]


def _pairs(options: Iterable[list[str]]) -> tuple[tuple[str, str], ...]:
    """Each patient with the annotator, as the options name them."""
    found: list[tuple[str, str]] = []
    for name, *patient_ids in options:
        if not patient_ids:
            raise RequestError(f"name the patients after {name}")
        found += [(patient_id, name) for patient_id in patient_ids]
    return tuple(found)
