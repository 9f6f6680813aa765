"""IdentiFinder as a recognizer: a name-class model, trained on tags and read line by line."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.errors import RequestError
from shared.model import Document, Span
from shared.recognition.hmm.model import MOST_CLASSES, NameClassModel, learnt
from shared.recognition.hmm.words import Places, WordLine, cut, read_line
from shared.recognition.labels import OUTSIDE, label_runs, phi_type_named
from shared.recognition.model_card import ModelCard
from shared.recognition.recognizer import Example, Suggestion
from shared.recognition.tokens import pieces, tokenized


@dataclass(frozen=True, slots=True)
class HmmRecognizer:
    """A name-class model with its card; how sure it is, is how probable the mention is."""

    card: ModelCard
    model: NameClassModel

    @property
    def name(self) -> str:
        return self.card.settings.name

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        """Return what is on the best path of each line of each document, in order."""
        return [tuple(self._suggested(document.text)) for document in documents]

    def _suggested(self, text: str) -> Iterator[Suggestion]:
        for offset, piece in pieces(text):
            for places in lines_of(piece):
                for first, last, own, chance in self.model.mentions(read_line(piece, places)):
                    span = Span(offset + places[first][0], offset + places[last][1])
                    phi_type = phi_type_named(self.model.classes[own])
                    yield Suggestion(span, phi_type, chance, self.name)


def lines_of(text: str) -> Iterator[Places]:
    """Yield the places of the words of each line, with the lines that it runs on into."""
    tokens = tokenized(text)
    for first, last in tokens.sequences:
        if first < last:
            yield cut(text, tokens.starts[first], tokens.ends[last - 1])


def train_hmm(examples: Sequence[Example], types: Sequence[str]) -> NameClassModel:
    """Train on examples, in order; patients are in one half of them or the other by turns.

    Raises RequestError for more types than a model may have.
    """
    classes = (OUTSIDE, *types)
    if len(classes) > MOST_CLASSES:
        raise RequestError(f"there are {len(types)} types; IdentiFinder learns {MOST_CLASSES - 1}")
    patients = sorted({each.document.patient_id for each in examples})
    lines = [
        (line, bool(bisect_left(patients, example.document.patient_id) % 2))
        for example in examples
        for line in _tagged(example, classes)
    ]
    return learnt(lines, classes)


def _tagged(example: Example, classes: Sequence[str]) -> Iterator[WordLine]:
    text = example.document.text
    for places in lines_of(text):
        starts, ends = [start for start, _ in places], [end for _, end in places]
        line = read_line(text, places)
        own, begins = [0] * len(places), [False] * len(places)
        for run in label_runs(example.tags, starts, ends):
            count = run.last + 1 - run.first
            own[run.first : run.last + 1] = [classes.index(run.phi_type)] * count
            begins[run.first] = True
        yield line._replace(classes=own, begins=begins)
