import pytest

from shared.errors import RequestError
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.dictionary_recognizer import DictionaryRecognizer
from shared.recognition.model_folder import new_model_folder
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS
from tests.builders import document, marked_up, texts

TYPES = tuple(each.phi_type for each in I2B2_2014.types())


@pytest.fixture(scope="module")
def folder(examples, tmp_path_factory):
    target = tmp_path_factory.mktemp("models") / "token"
    with new_model_folder(target) as partial:
        train(examples, SETTINGS["token"], partial)
    return str(target)


@pytest.mark.parametrize(
    "source",
    [
        "[Maria Johnson|PATIENT] moved to [Texas|STATE] from [Peru|COUNTRY].",
        "Seen by Dr. [Maria Johnson|DOCTOR]",
        "a plumber",
        "Brown stool. The brown stool went on.",
        "In May she may walk.",
    ],
)
def test_dictionaries_know_names_and_places_that_are_no_common_words(source):
    text, tags = marked_up(source)
    (found,) = DictionaryRecognizer(TYPES, ("en",)).suggest([document(source)])

    assert texts(tuple(each.tag() for each in found), text) == texts(tags, text)


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


def test_a_file_of_patterns_is_a_recognizer(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text("[[pattern]]\ntypes = ['IDNUM']\nfind = 'Q-\\d+'\n")
    (found,) = open_recognizer(RecognizerSpec((str(path),))).suggest([document("chart Q-77")])

    assert [(each.start, each.end) for each in found] == [(6, 10)]


@pytest.mark.parametrize("names", [(), ("nowhere",)])
def test_what_is_no_recognizer_is_said(names):
    with pytest.raises(RequestError, match="folder"):
        open_recognizer(RecognizerSpec(names))
