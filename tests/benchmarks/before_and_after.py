"""Draws the README's picture of a fabricated record before and after its PHI was replaced.

Run it as a program: `python -m tests.benchmarks.before_and_after PICTURE.png [--patient N]`.
"""

import argparse
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from shared.language.languages import language
from shared.model import Layer, MergedView, Patient
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import SurrogateSettings, kinds_of
from shared.synthetic import fabricate
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark
from shared.widgets.look.theme import LIGHT
from shared.widgets.window.application import create_application

SEED = 7
SIZE = (1320, 620)
_SETTLING = 0.7


def main() -> None:
    parser = argparse.ArgumentParser(description="the README's picture of a record")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--patient", type=int, default=3)
    parser.add_argument("--record", type=int, default=0)
    arguments = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    create_application([])
    one = list(fabricate(arguments.patient + 1, SEED))[-1]
    settings = SurrogateSettings(kinds_of(I2B2_2014), language("en"))
    new = replace_patient(one.patient, one.gold, settings, Random(SEED))
    page = QWidget()
    line = QHBoxLayout(page)
    for title, patient, layers in (
        ("The record as it was (fabricated)", one.patient, one.gold),
        ("As it is released", new.patient, new.layers),
    ):
        line.addWidget(column(title, of_record(patient, arguments.record), layers))
    page.resize(*SIZE)
    page.show()
    settle()
    page.grab().save(str(arguments.picture))


def of_record(patient: Patient, number: int) -> Patient:
    return Patient(patient.id, patient.documents[number : number + 1])


def column(title: str, patient: Patient, layers: Mapping[str, Layer]) -> QWidget:
    """A record with its tags, under a title."""
    view = DocumentView()
    view.apply_theme(LIGHT)
    merged = MergedView(patient)
    view.open(merged)
    view.set_marks(marks(merged, layers))
    view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    whole = QWidget()
    lines = QVBoxLayout(whole)
    lines.setContentsMargins(0, 0, 0, 0)
    lines.addWidget(QLabel(f"<b>{title}</b>"))
    lines.addWidget(view)
    return whole


def marks(merged: MergedView, layers: Mapping[str, Layer]) -> Iterable[Mark]:
    for document in merged.patient.documents:
        for tag in layers[document.record_id].tags:
            span = merged.merged_span(document.record_id, tag.span)
            colour = I2B2_2014.colour(tag.phi_type)
            yield Mark(span.start, span.end, tag.phi_type.name, colour, key=tag.id)


def settle() -> None:
    until = time.monotonic() + _SETTLING
    while time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.01)


if __name__ == "__main__":
    main()
