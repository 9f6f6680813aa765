"""`tandem new`: makes a project from a folder of records."""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import add_json, report
from shared.commands.records import (
    add_language,
    add_reading,
    notes_of,
    print_notes,
    read_records,
    reading_of,
    refuse_broken,
    unread_as_json,
)
from shared.errors import RequestError
from shared.garbage import collection_put_off
from shared.language.detection import AUTO
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.formats.base import Record
    from shared.formats.corpus import Corpus
    from shared.model import Schema
    from shared.project.project import Project

BUILT_IN = "i2b2-2014"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Create a project folder from a folder of records, in any form that tandem convert "
        "lists; every patient goes to two annotators (or more), drawn at random and balanced."
    )
    parser.add_argument("project", type=Path, metavar="PROJECT", help="the folder to create")
    parser.add_argument("--records", type=Path, required=True, metavar="DIR")
    add_reading(parser)
    parser.add_argument(
        "--annotators",
        metavar="A,B[,...]",
        type=_names,
        help="needed unless --layer names two or more",
    )
    parser.add_argument(
        "--schema",
        default=BUILT_IN,
        metavar="NAME",
        help=f"{BUILT_IN} (default), auto for the types that the records' tags have, or a file: "
        "a schema (.toml), a MAE task definition (.dtd) or the annotation.conf of brat",
    )
    parser.add_argument("--title", help="title of the project (default: its folder's name)")
    add_language(parser, AUTO, "detected from their words")
    parser.add_argument("--seed", type=int, default=0, help="seed for the assignment (default 0)")
    parser.add_argument(
        "--per-patient",
        type=int,
        default=2,
        metavar="N",
        help="how many annotators each patient goes to (default 2)",
    )
    parser.add_argument(
        "--all-on",
        type=int,
        default=0,
        metavar="N",
        help="this many patients, drawn by the seed, go to all annotators",
    )
    parser.add_argument(
        "--show-gold-to-annotators",
        action="store_true",
        help="let annotators compare their tags with the gold standard of a patient that both "
        "they and the adjudicator have finished",
    )
    parser.add_argument(
        "--patient-pattern",
        metavar="REGEX",
        help="captures the patient in a record's name (default: everything before the last -)",
    )
    _add_layers(parser)
    _add_access(parser)
    parser.add_argument(
        "--skip-broken", action="store_true", help="leave out records that cannot be read"
    )
    add_json(parser)


def _add_access(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--group",
        nargs="?",
        const="",
        metavar="GROUP",
        help="open the project to a group of the system (default: that of the folder it is made "
        "in; done without asking where that folder is setgid and its group may write there)",
    )
    parser.add_argument(
        "--adjudicators",
        metavar="GROUP",
        help="let only each annotator and this group read their layers, journals and notes",
    )


def _add_layers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--import-layer",
        action="append",
        metavar="NAME",
        help="give the tags that the records hold to this annotator, or to gold; "
        "otherwise nobody sees them",
    )
    parser.add_argument(
        "--layer",
        action="append",
        default=[],
        type=_layer,
        metavar="NAME=DIR",
        help="take over what an annotator has tagged elsewhere, in any format; a patient of whose "
        "records all are there goes to that annotator and is done. May be there several times",
    )
    parser.add_argument(
        "--gold", type=Path, metavar="DIR", help="take over a gold standard made elsewhere"
    )


@collection_put_off()  # there are many small values, but few cycles
def run(arguments: argparse.Namespace) -> int:
    from shared.project.folders import check_target
    from shared.project.group_access import GroupAccess
    from shared.project.project import Project

    import_as = _only(arguments.import_layer or [""])
    check_target(arguments.project)
    folder = read_records(
        arguments.records, arguments.patient_pattern, reading=reading_of(arguments)
    )
    if not arguments.skip_broken:
        refuse_broken(folder, "no project was created")
    layers = _read_layers(arguments, folder.records)
    tagged = [*folder.records, *(each for some in layers.values() for each in some)]
    project = Project.create(
        arguments.project,
        arguments.title or arguments.project.resolve().name,
        schema_by_name(arguments.schema, tagged),
        folder.records,
        _annotators(arguments),
        arguments.seed,
        import_as=import_as,
        layers=layers,
        language=arguments.language,
        per_patient=arguments.per_patient,
        all_on=arguments.all_on,
        show_gold_to_annotators=arguments.show_gold_to_annotators,
        access=GroupAccess(
            arguments.group or "", arguments.adjudicators or "", arguments.group is not None
        ),
    )
    report(
        _as_json(project, folder, import_as, layers),
        arguments,
        lambda: _summarise(project, folder, import_as, layers),
    )
    return 0


def _annotators(arguments: argparse.Namespace) -> list[str]:
    """Those that are named, or those who have layers. Raises RequestError where there are none."""
    named = [name for name, _ in arguments.layer]
    if arguments.annotators:
        return arguments.annotators
    if len(named) < 2:
        raise RequestError("--annotators is needed unless --layer names two or more")
    return named


def _read_layers(
    arguments: argparse.Namespace, records: "Sequence[Record]"
) -> "dict[str, Sequence[Record]]":
    """The records that others tagged, by annotator or gold; a text is held once.

    Raises TandemError.
    """
    from shared.formats.registry import TAGGED
    from shared.project.settings import GOLD

    named: list[tuple[str, Path]] = list(arguments.layer)
    if arguments.gold:
        named.append((GOLD, arguments.gold))
    documents = {each.document: each.document for each in records}
    found: dict[str, Sequence[Record]] = {}
    for name, path in named:
        if name in found or name in (arguments.import_layer or ()):
            raise RequestError(f"the layer of {name} is there twice; give each once")
        corpus = read_records(
            path, arguments.patient_pattern, formats=TAGGED, reading=reading_of(arguments)
        )
        if corpus.problems:
            raise RequestError(
                f"no project was created, {len(corpus.problems)} files of the layer of {name} "
                "could not be read; correct them"
            )
        found[name] = [
            replace(each, document=documents.get(each.document, each.document))
            for each in corpus.records
        ]
    return found


def _only(names: list[str]) -> str:
    if len(names) > 1:
        raise RequestError("--import-layer is there twice; the tags of the records are one layer")
    return names[0]


def _layer(value: str) -> tuple[str, Path]:
    name, equals, path = value.partition("=")
    if not (name.strip() and equals and path):
        raise argparse.ArgumentTypeError("needs an annotator and a folder: ana=DIR")
    return name.strip(), Path(path)


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",")]


def schema_by_name(name: str, records: "Iterable[Record]") -> "Schema":
    """Return the built-in schema, that of the records' tags, or a file's. Raises TandemError."""
    from shared.formats.registry import read_schema_file
    from shared.formats.schema_auto import schema_of
    from shared.model.i2b2_2014 import I2B2_2014

    if name == BUILT_IN:
        return I2B2_2014
    if name == "auto":
        return schema_of(tag for record in records for tag in record.tags)
    return read_schema_file(Path(name))


def _as_json(
    project: "Project", folder: "Corpus", import_as: str, layers: "Mapping[str, Sequence[Record]]"
) -> dict[str, object]:
    loads = Counter(each.annotator for each in project.assignments())
    return {
        "project": str(project.root),
        "schema": project.schema.name,
        "language": project.language,
        "patients": len(project.patient_ids),
        "records": len(folder.records),
        "annotators": [{"annotator": name, "patients": loads[name]} for name in project.annotators],
        "tags": _count_tags(folder.records),
        "imported": _imported(project, folder.records, import_as),
        "layers": [
            {"layer": name, "records": len(records), "tags": _count_tags(records)}
            for name, records in layers.items()
        ],
        "says": list(_remarks(project, folder)),
        "notes": notes_of(folder.records),
        **unread_as_json(folder),
    }


def _summarise(
    project: "Project", folder: "Corpus", import_as: str, layers: "Mapping[str, Sequence[Record]]"
) -> None:
    print(
        f"{project.root}: {counted(len(project.patient_ids), 'patient')}, "
        f"{counted(len(folder.records), 'record')}, schema {project.schema.name}"
    )
    loads = Counter(each.annotator for each in project.assignments())
    print("patients each: " + ", ".join(f"{name} {loads[name]}" for name in project.annotators))
    for remark in _remarks(project, folder):
        print(remark)
    print_notes(folder.records)
    tags = _count_tags(folder.records)
    if tags:
        print(_about_tags(_imported(project, folder.records, import_as), import_as, tags))
    for name, records in layers.items():
        print(_about_layer(project, name, records))


def _remarks(project: "Project", folder: "Corpus") -> Iterator[str]:
    """How the records were grouped, and what was guessed or is not known."""
    from shared.formats.patient_grouping import doubt_about, grouping_in_words
    from shared.formats.schema_auto import guesses_in_words
    from shared.language.detection import missing_language

    yield grouping_in_words(folder.patients)
    doubt = doubt_about(folder.patients)
    if doubt and not folder.notes:  # which would say it too
        yield f"{doubt}; where that is wrong, give --patient-pattern"
    guesses, missing = guesses_in_words(project.schema), missing_language(project.language)
    yield from filter(None, (*folder.notes, guesses, missing))


def _imported(project: "Project", records: "Iterable[Record]", import_as: str) -> int:
    """How many tags of the records somebody was given."""
    from shared.project.settings import GOLD

    if not import_as:
        return 0
    theirs = {each.patient_id for each in project.assignments() if each.annotator == import_as}
    return _count_tags(
        each for each in records if import_as == GOLD or each.document.patient_id in theirs
    )


def _about_tags(imported: int, import_as: str, tags: int) -> str:
    from shared.project.settings import GOLD

    if not import_as:
        return f"the {tags} tags in the records were not imported (see --import-layer)"
    if import_as == GOLD:
        return f"the {tags} tags in the records became the gold standard"
    left = tags - imported
    elsewhere = f"; {left} on other annotators' patients were left out" if left else ""
    return f"{imported} tags became those of {import_as}{elsewhere}"


def _about_layer(project: "Project", name: str, records: "Sequence[Record]") -> str:
    from shared.project.assignments import State
    from shared.project.settings import GOLD

    done = sum(
        each.annotator == name and each.state is State.DONE for each in project.assignments()
    )
    said = "the gold standard" if name == GOLD else f"the layer of {name}"
    state = "" if name == GOLD else f", {counted(done, 'patient')} done"
    tags = counted(_count_tags(records), "tag")
    return f"{said}: {counted(len(records), 'record')}, {tags}{state}"


def _count_tags(records: "Iterable[Record]") -> int:
    return sum(len(each.tags) for each in records)
