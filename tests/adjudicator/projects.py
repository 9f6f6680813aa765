"""Small project folders with two or three annotators' layers in them."""

import csv
import re

from shared.formats.base import Record
from shared.model import Layer
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from tests.builders import document, marked_up, texts

ANA = ("Seen by [Lee|DOCTOR] of [Mercy|HOSPITAL].", "[Kai|PATIENT] called.", "Nothing.")
BEN = ("Seen by [Lee|PATIENT] of [Mercy|HOSPITAL].", "Kai called.", "Nothing.")


def make_project(root, ana=ANA, ben=BEN, state=State.DONE, **others) -> Project:
    """A project of patient 110; `others` (p120=(ana, ben)) adds patients of other numbers."""
    patients = {"110": (ana, ben)} | {name[1:]: sides for name, sides in others.items()}
    records = [
        Record(document(each, f"{patient_id}-{n:02}"))
        for patient_id, (sources, _) in patients.items()
        for n, each in enumerate(sources, start=1)
    ]
    project = Project.create(root / "project", "Test", I2B2_2014, records, ["ana", "ben"], 1)
    for patient_id, sides in patients.items():
        for name, sources in zip(("ana", "ben"), sides, strict=True):
            for each, source in zip(project.patient(patient_id).documents, sources, strict=True):
                layer = Layer.of(each.record_id, name, marked_up(source)[1])
                project.write_layer(name, each, layer, None)
            project.set_state(patient_id, name, state)
    return project


def add_third(project: Project, sources, name="cem", state=State.DONE) -> Project:
    """Put patient 110 into the hands of a third annotator too, who marked it up like this."""
    settings = project.root / "tandem.toml"
    text = settings.read_text()
    settings.write_text(re.sub(r'"ben"(,?\s*])', rf'"ben", "{name}"\1', text, count=1))
    with (project.root / "assignments.csv").open("a", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(["110", name, state.value])
    again = Project.open(project.root)
    for each, source in zip(again.patient("110").documents, sources, strict=True):
        layer = Layer.of(each.record_id, name, marked_up(source)[1])
        again.write_layer(name, each, layer, None)
    return again


def gold(project) -> list[list[tuple[str, str]]]:
    """The gold standard on disk, record by record."""
    return [
        texts(project.read_layer("gold", each).layer.tags, each.text)
        for each in project.patient("110").documents
    ]
