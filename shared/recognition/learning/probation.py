"""On probation: a training asks what those are worth that will suggest beside the model.

They learnt nothing from the finished patients, so that these judge them fairly; models are asked
only about patients that they were not trained on. Where no such models are trained anyway, a quick
one is asked about a few patients, for the training to stay short.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from shared.recognition.card import Card
from shared.recognition.crf.crfs import crfs_from
from shared.recognition.crf.crfsuite_file import read_weights
from shared.recognition.example import Example
from shared.recognition.judge import Judge
from shared.recognition.model import Model
from shared.recognition.model_folder import JUDGE, LESSON, read_lesson
from shared.recognition.settings import Settings
from shared.recognition.standing import Beside, Standing, Voices, standing_of

ENOUGH = 15
"""About so many records are enough to ask about."""
ITERATIONS = 25


def asked_about_others(settings: Settings) -> Settings:
    """What to train on either half of a few patients, to ask it about the other half."""
    quick = replace(settings.crfs[0], iterations=ITERATIONS)
    return replace(settings, crfs=(quick,), folds=2)


def few(examples: Sequence[Example], seed: int) -> list[Example]:
    """Return the examples of patients drawn at random, two of them at least."""
    patients = sorted({each.document.patient_id for each in examples})
    Random(seed).shuffle(patients)
    chosen: list[Example] = []
    for number, patient in enumerate(patients):
        if number < 2 or len(chosen) < ENOUGH:
            chosen += [each for each in examples if each.document.patient_id == patient]
    return chosen


def judged(
    beside: Beside,
    examples: Sequence[Example],
    fold_of: Mapping[str, int],
    card: Card,
    folder: Path,
) -> Standing:
    """Count how often those beside a model, and models of its kind, are right in the examples.

    `card` describes the models of the folds that lie in `folder`. Of patients of no fold only
    rules are asked, unless there is no other.
    """
    judge = Judge(read_weights(folder / JUDGE)) if card.judged else None
    parts: list[tuple[list[Example], Voices]] = []
    for fold in sorted({None, *fold_of.values()}, key=str):
        own = [each for each in examples if fold_of.get(each.document.patient_id) == fold]
        documents = [each.document for each in own]
        voices = Voices(beside.rules.suggest(documents))
        if beside.practised is not None and (fold is not None or not fold_of):
            voices = replace(voices, practised=beside.practised.suggest(documents))
        if fold is not None:
            model = _model_of(folder / f"fold-{fold}", card, judge)
            voices = replace(voices, learnt=model.suggest(documents))
        parts.append((own, voices))
    return standing_of(parts, beside.edition)


def _model_of(part: Path, card: Card, judge: Judge | None) -> Model:
    lesson = read_lesson(part / LESSON)
    return Model(card, crfs_from(part, card.settings.crfs, lesson), judge)
