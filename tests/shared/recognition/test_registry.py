import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from shared.commands.main import main
from shared.errors import RequestError
from shared.formats.i2b2_xml import read_record
from shared.formats.schema_auto import schema_of_types
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import EntityKind, PersonRole
from shared.recognition import crf_recognizer, registry
from shared.recognition.dictionaries import LOCALES
from shared.recognition.dictionary_recognizer import DictionaryRecognizer
from shared.recognition.model_folder import load_model, new_model_folder
from shared.recognition.recognizer import Suggestion
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS, STANDARD_PASSES
from tests.builders import document, marked_up, phi, texts


@pytest.fixture(scope="module")
def folder(examples, tmp_path_factory):
    target = tmp_path_factory.mktemp("models") / "token"
    with new_model_folder(target) as partial:
        train(examples, SETTINGS["token"], partial)
    return str(target)


def test_heuristics_are_dictionaries_by_the_name_of_the_papers():
    records = [document("Seen by Dr. Maria Johnson in Texas.")]
    both = [open_recognizer(RecognizerSpec((name,))) for name in ("heuristics", "dictionaries")]
    assert both[0].suggest(records) == both[1].suggest(records) != [()]


@pytest.mark.parametrize(
    "source",
    [
        "[Maria Johnson|PATIENT] moved to [Texas|STATE] from [Peru|COUNTRY].",
        "Seen by Dr. [Maria Johnson|DOCTOR]",
        "a plumber",
        "Brown stool. The brown stool went on.",
        "May walks. She may walk.",
    ],
)
def test_dictionaries_know_names_and_places_that_are_no_common_words(source):
    text, tags = marked_up(source)
    (found,) = DictionaryRecognizer(I2B2_2014, ("en",)).suggest([document(source)])

    assert texts(tuple(each.tag() for each in found), text) == texts(tags, text)


def of_patients(without=()):
    """What the rules find in two records of one patient and in one of another."""
    texts_of = (
        "Dr. Osei will see her.",
        "Osei, then the nurse.",
        "The Osei study was read to him.",
    )
    records = [Document(f"{at}-1", str(at // 2), each) for at, each in enumerate(texts_of)]
    spec = RecognizerSpec(("rules",), I2B2_2014, ("en",), without=without)
    found = open_recognizer(spec).suggest(records)
    return [
        {(each.span.text_in(text), each.phi_type.name) for each in made}
        for text, made in zip(texts_of, found, strict=True)
    ]


def test_what_rules_find_in_one_record_is_looked_for_in_the_others_of_its_patient_alone():
    doctor = {("Osei", "DOCTOR")}
    assert of_patients() == [doctor, doctor, set()]
    assert of_patients(without=("mention_propagation",)) == [doctor, set(), set()]


def test_rules_without_a_pass_that_is_none_are_refused():
    with pytest.raises(RequestError, match="there is no pass years"):
        open_recognizer(RecognizerSpec(("rules",), without=("years",)))


GERMAN = "Die Patientin und der Bruder von Gerhard wurden mit dem Wagen in die Klinik gebracht."
ENGLISH = "The patient and the bag of Gerhard were brought to the clinic with the car of Travis."
NOT_TOLD = "Travis. Gerhard."


def looked_up(*records, locales=LOCALES):
    found = DictionaryRecognizer(I2B2_2014, locales).suggest(records)
    return {
        record.record_id: [one.span.text_in(record.text) for one in each]
        for record, each in zip(records, found, strict=True)
    }


def test_dictionaries_are_those_of_the_language_of_each_patient():
    found = looked_up(Document("1-1", "1", GERMAN), Document("2-1", "2", ENGLISH))
    assert found == {"1-1": ["Gerhard"], "2-1": ["Travis"]}


def test_other_records_of_a_patient_tell_the_language_too_in_any_order():
    records = Document("1-1", "1", NOT_TOLD), Document("1-2", "1", GERMAN)
    assert looked_up(*records) == looked_up(*records[::-1])
    assert looked_up(*records)["1-1"] == ["Gerhard"]
    assert looked_up(records[0])["1-1"] == ["Travis"]


def test_dictionaries_that_were_asked_for_go_before_what_words_tell():
    assert looked_up(Document("1-1", "1", GERMAN), locales=("en",)) == {"1-1": []}


@pytest.mark.parametrize(
    ("locales", "text", "code"),
    [
        (LOCALES, GERMAN, "de"),
        (LOCALES, ENGLISH, "en"),
        (LOCALES, "8.5 / 12", "en+es"),
        (("es",), GERMAN, "es"),
    ],
)
def test_the_passes_read_the_language_of_the_records_unless_another_is_asked_for(
    folder, monkeypatch, locales, text, code
):
    read = []

    def passes(patient, names):
        read.append(patient.language.code)
        return patient

    monkeypatch.setattr(crf_recognizer, "apply_passes", passes)
    with_passes(folder, locales).suggest([Document("1-1", "1", text)])
    assert read == [code]


def with_passes(folder, locales):
    model = replace(load_model(Path(folder)), locales=locales)
    settings = replace(model.card.settings, postprocessing=STANDARD_PASSES)
    return replace(model, card=replace(model.card, settings=settings))


def test_the_language_asked_for_reaches_the_passes_of_a_model_that_is_opened(folder):
    model = open_recognizer(RecognizerSpec((folder,), locales=("de",)))
    assert isinstance(model, crf_recognizer.CrfRecognizer)
    assert model.locales == ("de",)


@pytest.mark.parametrize(
    ("names", "name"),
    [
        (["rules"], "rules"),
        (["dictionaries"], "dictionaries"),
        (["rules", "dictionaries"], "rules+dictionaries"),
    ],
)
def test_recognizers_are_opened_by_name(names, name):
    assert open_recognizer(RecognizerSpec(tuple(names))).name == name


def test_models_are_opened_by_their_folder(folder):
    assert open_recognizer(RecognizerSpec((folder,))).name == "token"
    assert open_recognizer(RecognizerSpec(("rules", folder))).name == "rules+token"


def test_beside_a_model_rules_suggest_only_types_that_it_knows(folder):
    rules = open_recognizer(RecognizerSpec(("rules", folder)))
    (found,) = rules.suggest([document("mail a@b.example on 3/4/2071")])

    assert {each.phi_type.name for each in found} <= {
        "DATE",
        "DOCTOR",
        "PATIENT",
        "MEDICALRECORD",
    }


def test_beside_a_model_rules_that_are_often_wrong_are_left_out(folder):
    text = "A 3/7 share. Write to a@b.example."
    record = [document(text)]

    def found(*names):
        (suggested,) = open_recognizer(RecognizerSpec(names, I2B2_2014)).suggest(record)
        return {each.span.text_in(text) for each in suggested if each.recognizer == "rules"}

    assert found("rules") == {"3/7", "a@b.example"}
    assert found("rules", folder) == found(folder, "rules") == {"a@b.example"}


def test_a_file_of_patterns_is_a_recognizer(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text("[[pattern]]\ntypes = ['IDNUM']\nfind = 'Q-\\d+'\n")
    (found,) = open_recognizer(RecognizerSpec((str(path),))).suggest([document("chart Q-77")])

    assert [(each.start, each.end) for each in found] == [(6, 10)]


@pytest.mark.parametrize("names", [(), ("nowhere",)])
def test_what_is_no_recognizer_is_said(names):
    with pytest.raises(RequestError, match="folder"):
        open_recognizer(RecognizerSpec(names))


class Shouting:
    """Another program's recognizer: whatever is in capitals is a name."""

    name = "shouting"

    def __init__(self, spec):
        self.type = spec.schema.type_for(EntityKind.PERSON, PersonRole.PATIENT)

    def suggest(self, documents):
        return [
            tuple(
                Suggestion(Span(*found.span()), self.type, 0.9, self.name)
                for found in re.finditer("[A-Z]{2,}", each.text)
            )
            for each in documents
        ]


@pytest.fixture
def plugged_in(monkeypatch):
    """Install a stand-in for a package that offers recognizers."""

    def install(**offered):
        points = [
            SimpleNamespace(name=name, load=lambda made=made: made)
            for name, made in offered.items()
        ]
        monkeypatch.setattr(
            registry,
            "entry_points",
            lambda group, name: [
                each for each in points if group == "tandem.recognizers" and each.name == name
            ],
        )

    return install


def test_another_program_s_recognizer_is_taken_through_tandem_suggest(tmp_path, plugged_in):
    plugged_in(shouting=Shouting)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1-01.txt").write_text("Seen by LEE today.")
    command = ["suggest", str(tmp_path / "in"), "--model", "shouting", "--out"]

    assert main([*command, str(tmp_path / "out")]) == 0
    (tag,) = read_record(tmp_path / "out" / "1-01.xml").tags
    assert (tag.span, tag.phi_type.name, tag.confidence) == (Span(8, 11), "PATIENT", 0.9)


def test_a_plugged_in_recognizer_stands_beside_others_and_suggests_types_of_the_schema(plugged_in):
    plugged_in(shouting=Shouting)
    dates = schema_of_types([phi("DATE")], "dates")
    both = open_recognizer(RecognizerSpec(("rules", "shouting")))

    (found,) = both.suggest([document("On 3/4/2071 LEE")])
    assert both.name == "rules+shouting"
    assert [one.phi_type.name for one in found] == ["DATE", "PATIENT"]
    alone = open_recognizer(RecognizerSpec(("shouting",), dates))
    assert alone.suggest([document("LEE")]) == [()]


def test_what_a_plugged_in_recognizer_gives_is_kept_to_the_protocol(plugged_in):
    def wild(_):
        found = [
            Suggestion(Span(4, 9), phi("DATE"), 0.5, "wild"),
            Suggestion(Span(0, 5), phi("DATE"), 0.9, "wild"),
            Suggestion(Span(90, 95), phi("DATE"), 0.9, "wild"),
        ]
        return SimpleNamespace(suggest=lambda documents: [found for _ in documents])

    plugged_in(wild=wild, silent=lambda _: SimpleNamespace(suggest=lambda _: []))
    (found,) = open_recognizer(RecognizerSpec(("wild",))).suggest([document("a record")])
    assert [one.span for one in found] == [Span(0, 5)]
    with pytest.raises(RequestError, match="silent gave 0 results for 1 documents"):
        open_recognizer(RecognizerSpec(("silent",))).suggest([document("a record")])


def test_passes_are_left_out_by_name(examples, tmp_path, monkeypatch):
    settings = replace(SETTINGS["token"], postprocessing=STANDARD_PASSES)
    with new_model_folder(tmp_path / "m") as partial:
        train(examples, settings, partial)
    ran = []
    monkeypatch.setattr(
        crf_recognizer, "apply_passes", lambda patient, names: ran.append(list(names)) or patient
    )

    def passes(*without):
        spec = RecognizerSpec((str(tmp_path / "m"),), without=without)
        open_recognizer(spec).suggest([document("Seen on 3/4/2071.")])
        return ran.pop()

    assert passes() == list(STANDARD_PASSES)
    left = [name for name in STANDARD_PASSES if name not in {"name_roles", "record_numbers"}]
    assert passes("name_roles", "record_numbers") == left
    with pytest.raises(RequestError, match="no pass names"):
        passes("names")
