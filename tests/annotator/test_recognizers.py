"""What the annotation window is given to show, whoever suggests it."""

import pytest

from annotator.recognizers import ActiveModels, Models, Recognizers, after_passes
from shared.formats.base import Record
from shared.language.languages import language
from shared.model import Document, MergedView, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy
from shared.recognition.ensemble_weights import EnsembleWeights
from shared.recognition.recognizer import Suggestion
from tests.builders import document, phi

BROKEN = "Seen 1 May\n2070 by Dr. Var-\nga."


@pytest.fixture
def suggested(tmp_path):
    """What is suggested last in a patient with one record."""

    def suggest(text, policy=Policy.RULES):
        record = Record(Document("1-01", "1", text))
        project = Project.create(tmp_path / "p", "p", I2B2_2014, [record], ["ana", "ben"], 1)
        view = MergedView(project.patient("1"))
        *_, last = Recognizers(project, "ana").suggest(view, policy)
        return {(each.span.text_in(view.text), each.phi_type.name) for each in last.suggestions}

    return suggest


def test_what_rules_find_over_two_lines_is_whole(suggested):
    assert suggested(BROKEN) == {("1 May\n2070", "DATE"), ("Var-\nga", "DOCTOR")}


def test_what_a_rule_finds_in_one_place_is_suggested_in_the_others(suggested):
    assert suggested("Seen by Dr. Osei.\nOsei will call.") == {("Osei", "DOCTOR")}


def together(text, *found):
    made = [
        Suggestion(Span(text.index(it), text.index(it) + len(it)), phi(name), sure, "crf")
        for it, name, sure in found
    ]
    (left,) = after_passes([document(text)], [made], I2B2_2014, ("en",))
    return [(each.span.text_in(text), each.phi_type.name, each.recognizer) for each in left]


def test_of_a_date_that_a_model_and_the_rules_read_differently_the_longer_stays():
    assert together(BROKEN, ("2070", "DATE", 0.95)) == [("1 May\n2070", "DATE", "crf")]


def test_what_somebody_suggests_in_one_place_is_suggested_in_the_others():
    text = "Dr. Ruiz came.\nCalled Ruiz.\nSeen by Ruiz."
    found = together(text, ("Ruiz", "DOCTOR", 0.95))
    assert [each[0] for each in found] == ["Ruiz"] * 3
    assert {each[2] for each in found} == {"crf", "other mentions"}


GERMAN = (
    "Sehr geehrter Herr Kollege, wir berichten über die Patientin, die ich am 24. März 2011 sah.\n"
    "Sie lebt in Hainichen und ist 27 Jahre alt.\nMit freundlichen Grüßen"
)
ENGLISH = "The patient was seen here on May 24 of this year, and she is 27 years old and well."


class FabricatedModel:
    """Is sure that each of these is what it says wherever it stands."""

    name = "fabricated"

    def __init__(self, **found):
        self._found = found

    def suggest(self, documents):
        return [
            [
                Suggestion(Span(at, at + len(text)), phi(name), 0.99, self.name)
                for text, name in self._found.items()
                if (at := document.text.find(text)) >= 0
            ]
            for document in documents
        ]


@pytest.fixture
def with_model(monkeypatch, suggested):
    """What is suggested with a model of fabricated patients that suggests these."""

    def suggest(text, **found):
        by = "the rules and a model of fabricated patients"
        models = ActiveModels(
            EnsembleWeights(), FabricatedModel(**found), None, by,
            pretrained_languages=frozenset({"en"}),
        )  # fmt: skip
        monkeypatch.setattr(Models, "active", lambda _: models)
        return suggested(text, Policy.ON)

    return suggest


def test_in_another_language_than_fabricated_patients_speak_the_rules_go_first(with_model):
    found = with_model(GERMAN, **{"24": "AGE", "Hainichen": "CITY", "27 Jahre": "DATE"})
    assert found == {("24. März 2011", "DATE"), ("Hainichen", "CITY"), ("27", "AGE")}


def test_a_model_that_knows_no_word_of_the_records_takes_none_for_a_name(with_model):
    letter = f"{GERMAN} Wir sahen Ihren Patienten Lambert Xyl.\n\nHerzliche Grüße\nDr. med. Q. Yx\n"
    wrong = ("Ihren Patienten Lambert Xyl", "Herzliche Grüße", "med")
    found = {text for text, _ in with_model(letter, **dict.fromkeys(wrong, "DOCTOR"))}
    assert "Lambert Xyl" in found
    assert found.isdisjoint(wrong)


def test_in_their_language_the_surer_goes_first(with_model):
    assert ("24", "AGE") in with_model(ENGLISH, **{"24": "AGE"})


def test_whose_language_it_is_that_was_learnt_is_said():
    models = ActiveModels(
        EnsembleWeights(), FabricatedModel(), None, "a model of fabricated patients"
    )
    german = models.in_another_language(language("de"), I2B2_2014)
    assert german.by == "a model of fabricated patients in English"
