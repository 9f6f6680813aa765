import pytest

from shared.errors import FileFormatError, StorageError
from shared.formats.schema_auto import schema_of_types
from shared.model import Document, PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.rules import Rules, ShippedRules, read_patterns, shipped_patterns
from tests.builders import document, marked_up, texts

DATES_ALONE = schema_of_types([PhiType("DATE", "DATE")], "dates")


def found(rules, text):
    (suggestions,) = rules.suggest([Document("1-1", "1", text)])
    return texts(tuple(each.tag() for each in suggestions), text)


@pytest.mark.parametrize(
    "source",
    [
        "Seen by Dr. [Lee|DOCTOR] on [3/4/2012|DATE], phone [617-555-0123|PHONE].",
        "Fax: [648-875-5821|FAX]",
        "a [45|AGE]-year-old man with BP 120/80 and INR 2.5",
        "[Boston|CITY], [MA|STATE] [02114|ZIP]",
    ],
)
def test_rules_tag_what_has_a_form_and_leave_the_rest(source):
    text, tags = marked_up(source)

    assert found(Rules(shipped_patterns(("en",)), I2B2_2014), text) == texts(tags, text)


def test_a_type_that_the_schema_lacks_is_not_suggested():
    assert found(Rules(shipped_patterns(), DATES_ALONE), "mail a@b.example") == []


def test_suggestions_of_one_document_do_not_overlap():
    (suggestions,) = Rules(shipped_patterns(), I2B2_2014).suggest(
        [document("on 3 March 2012 at 9")]
    )

    assert len(suggestions) == 1


def test_a_project_adds_patterns(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text("[[pattern]]\ntypes = ['IDNUM']\nfind = 'Q-(?P<phi>\\d+)'\n")

    assert found(Rules(read_patterns(path), I2B2_2014), "chart Q-7781") == [("7781", "IDNUM")]


@pytest.mark.parametrize(
    "content",
    [
        b"[[pattern]]\ntypes = ['X']\nfind = '('\n",
        b"[[pattern]]\nfind = 'x'\n",
        b"[[pattern]]\ntypes = ['X']\nfind = 'x'\nconfidence = 2\n",
        b"pattern = ['x']",
        b"not toml",
        b"\xff\xfe",
    ],
)
def test_a_broken_file_is_named(tmp_path, content):
    path = tmp_path / "rules.toml"
    path.write_bytes(content)

    with pytest.raises(FileFormatError, match=r"rules\.toml"):
        read_patterns(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(StorageError, match=r"rules\.toml"):
        read_patterns(tmp_path / "rules.toml")


def test_a_document_is_read_by_the_rules_of_its_own_language():
    german = "Die Patientin wurde am 3. März 2071 von Dr. med. Anna von Hagen entlassen."
    english = "The patient was seen by Dr. Anna Lee on March 3, 2071 with her sister."
    first, second = ShippedRules(I2B2_2014).suggest(
        [Document("1-1", "1", german), Document("1-2", "1", english)]
    )
    assert {german[each.start : each.end] for each in first} == {"3. März 2071", "Anna von Hagen"}
    assert {english[each.start : each.end] for each in second} == {"Anna Lee", "March 3, 2071"}


def test_the_language_that_was_asked_for_goes_before_what_words_tell():
    text = "The patient was seen on 3. März 2071 with her sister."
    (found,) = ShippedRules(I2B2_2014, ("de",)).suggest([Document("1-1", "1", text)])
    assert [text[each.start : each.end] for each in found] == ["3. März 2071"]
