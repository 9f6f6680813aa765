"""Words for relatives in a release: where nobody tagged one it holds nothing up, a name does."""

import pytest

from adjudicator.release.draft import Draft, blockers_of
from adjudicator.release.source import Source, SurrogateOptions
from shared.formats.schema_auto import schema_of
from shared.model import Document, Layer, Patient, PhiType, Span, Tag
from shared.surrogates.drawing import secret_of_seed

RELATIVES = PhiType("OTHER", "FAMILIARES_SUJETO_ASISTENCIA")
TEXT = "Acude con su {0}. La {0} refiere fiebre. Se informa a {0} y se cita a {0} en un mes."


@pytest.mark.parametrize(("word", "holds_up"), [("madre", False), ("Ovidia", True)])
def test_a_name_of_a_relative_that_nobody_tagged_holds_a_release_up_a_word_for_one_does_not(
    word: str, holds_up: bool
) -> None:
    text = TEXT.format(word)
    places = [at for at in range(len(text)) if text.startswith(word, at)]
    tags = [
        Tag(Span(at, at + len(word)), RELATIVES, f"P{number}")
        for number, at in enumerate(places[:-1])
    ]
    read = (
        Patient("110", (Document("110-01", "110", text),)),
        {"110-01": Layer.of("110-01", "gold", tags)},
    )
    source = Source.of({"110": read}, schema_of(tags), "es", SurrogateOptions())
    found = blockers_of(Draft.make(source, secret_of_seed(1)))
    at_last = [each for each in found if each.span and each.span.start == places[-1]]
    assert bool(at_last) is holds_up
