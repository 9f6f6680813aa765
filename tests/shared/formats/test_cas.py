"""CAS of type systems as INCEpTION and others write them: the same tags come in and go out."""

import json
from dataclasses import replace
from shutil import copyfile

import pytest

from shared.errors import FileFormatError, RequestError
from shared.formats.base import ReadOptions, Record, WriteOptions
from shared.formats.cas import CasFormat
from shared.formats.corpus import read_corpus
from shared.formats.losses import find_losses
from shared.model import Document, PhiType, Span, Tag
from tests.builders import marked_up, texts

cassis = pytest.importorskip("cassis")

FORMAT = CasFormat()
PHI = "webanno.custom.PHI"
ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
WORD = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"
LETTER = "Sehr geehrte Frau \U0001f600 Dr. Öz,\nwir sahen Anna am 3.4. in Ulm."
MARKED = ("Öz", "Anna", "3.4.", "Ulm")
LABELS = ("NAME_DOCTOR", "NAME_PATIENT", "DATE", "LOCATION_CITY")


def system(types):
    """A type system of these types, with what their features are."""
    made = cassis.TypeSystem()
    for name, features in types.items():
        of, _, parent = name.partition(" ")
        each = made.create_type(of, parent or "uima.tcas.Annotation")
        for feature, of_what in features.items():
            made.create_feature(each, feature, f"uima.cas.{of_what}")
    return made


def annotate(cas, types, text=LETTER):
    """Annotate the words of a text, with these features each."""
    for word, (name, features) in types:
        begin = text.index(word)
        made = cas.typesystem.get_type(name)
        cas.add(made(begin=begin, end=begin + len(word), **features))


@pytest.fixture
def letters(tmp_path):
    """A folder of letters in XMI, or JSON, of a type system."""
    folder = tmp_path / "letters"
    folder.mkdir()

    def write(types, annotations, form="xmi", text=LETTER):
        of = system(types)
        for number in (1, 2):
            cas = cassis.Cas(of)
            cas.sofa_string, cas.sofa_mime = text, "text"
            annotate(cas, annotations, text)
            getattr(cas, f"to_{form}")(folder / f"letter_{number}.txt.{form}")
        if form == "xmi":
            of.to_xml(folder / "TypeSystem.xml")
        return folder

    return write


def with_labels(name, feature, **more):
    return [(w, (name, {feature: v, **more})) for w, v in zip(MARKED, LABELS, strict=True)]


def tokens():
    return [(word, (WORD, {"pos": "X"})) for word in ("Sehr", "geehrte", "Frau", "wir", *MARKED)]


def seen(record):
    return texts(record.tags, record.document.text)


def there_and_back(folder, target, **values):
    """Read the folder, write what was read and read that: records before and after."""
    options = ReadOptions(values)
    before = read_corpus(folder, formats=[FORMAT], options=options)
    assert before.problems == ()
    for file in FORMAT.write(before.records, WriteOptions(values=values)):
        path = target / file.name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(file.data)
    after = read_corpus(target, formats=[FORMAT], options=options)
    assert after.problems == ()
    return before.records, after.records


KINDS = {
    "a custom layer": ({PHI: {"kind": "String"}}, with_labels(PHI, "kind")),
    "a layer among others": (
        {WORD: {"pos": "String"}, PHI: {"kind": "String", "comment": "String"},
         "webanno.custom.Zeitbezug": {"value": "String"}},
        [*tokens(), *with_labels(PHI, "kind"),
         ("wir", ("webanno.custom.Zeitbezug", {"value": "jetzt"}))],
    ),
    "named entities": (
        {ENTITY: {"value": "String", "identifier": "String"}},
        with_labels(ENTITY, "value", identifier="http://x.org/Q1"),
    ),
    "a feature of no common name": (
        {"org.klinik.Stelle": {"nummer": "Integer", "schutzklasse": "String"}},
        with_labels("org.klinik.Stelle", "schutzklasse", nummer=7),
    ),
    "a feature that Python has another name for": (
        {"x.y.Ann": {"type": "String"}}, with_labels("x.y.Ann", "type_")
    ),
    "a type without a package": ({"Stelle": {"art": "String"}}, with_labels("Stelle", "art")),
    "a type of letters beyond ASCII": (
        {"custom.Schlüssel": {"Wert": "String"}}, with_labels("custom.Schlüssel", "Wert")
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", ["xmi", "json"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore:Trying to add feature")
def test_letters_of_a_type_system_that_nobody_knows_come_in_and_go_out(
    kind, form, letters, tmp_path
):
    folder = letters(*KINDS[kind], form)
    before, after = there_and_back(folder, tmp_path / "out")
    assert [each.document.record_id for each in before] == ["letter_1", "letter_2"]
    assert [[*zip(MARKED, LABELS, strict=True)]] * 2 == [seen(each) for each in before]
    assert [each.document.text for each in before] == [LETTER, LETTER]
    left = [replace(each, lost=()) for each in before]
    assert after[0].notes == before[0].notes
    assert {each.what for each in find_losses(left, after, FORMAT).losses} <= {"ids"}
    assert {each.name for each in (tmp_path / "out").iterdir()} == {
        f"letter_1.{form}", f"letter_2.{form}", *(["TypeSystem.xml"] if form == "xmi" else []),
    }  # fmt: skip
    name = next(name for _, (name, _) in KINDS[kind][1] if name != WORD)
    assert name in (tmp_path / "out" / f"letter_1.{form}").with_name(
        "TypeSystem.xml" if form == "xmi" else f"letter_1.{form}"
    ).read_text("utf-8")


def test_types_of_one_package_are_categories(letters, tmp_path):
    types = {"org.phi.Name": {"role": "String"}, "org.phi.Datum": {}, "org.phi.Ort": {}}
    roles = [("Öz", ("org.phi.Name", {"role": "DOCTOR"})), ("Anna", ("org.phi.Name", {}))]
    others = [("3.4.", ("org.phi.Datum", {})), ("Ulm", ("org.phi.Ort", {}))]
    folder = letters(types, [*roles, *others])
    before, after = there_and_back(folder, tmp_path / "out", type="org.phi.*", feature="role")
    assert [str(each.phi_type) for each in before[0].tags] == [
        "Name:DOCTOR",
        "Name",
        "Datum",
        "Ort",
    ]
    assert [each.tags for each in after] == [each.tags for each in before]
    guessed = read_corpus(folder, formats=[FORMAT]).records
    assert [seen(each)[2:] for each in guessed] == [[("3.4.", "Datum"), ("Ulm", "Ort")]] * 2


def test_type_and_feature_can_be_asked_for(letters, tmp_path):
    types = {PHI: {"kind": "String"}, ENTITY: {"value": "String", "identifier": "String"}}
    entities = [("Ulm", (ENTITY, {"value": "LOC", "identifier": "Q3012"}))]
    folder = letters(types, [*with_labels(PHI, "kind"), *entities])
    before, after = there_and_back(folder, tmp_path / "out", type=ENTITY, feature="identifier")
    assert seen(before[0]) == seen(after[0]) == [("Ulm", "Q3012")]
    assert before[0].tags[0].attributes == (("value", "LOC"),)
    assert [each.what for each in before[0].lost] == ["annotations of the type PHI"] * 4


def test_everything_that_is_no_tag_is_in_the_report(letters):
    types = {
        WORD: {"pos": "String"},
        PHI: {"kind": "String", "next": "TOP", "words": "StringArray"},
    }
    folder = letters(types, [*tokens(), *with_labels(PHI, "kind"), ("", (PHI, {"kind": "X"}))])
    (record, _) = read_corpus(folder, formats=[FORMAT]).records
    assert [each.what for each in record.lost] == [
        "tags of no length", "annotations of the type Token",
    ]  # fmt: skip
    assert record.notes == (f"tags are {PHI} by kind",)


def test_every_view_with_a_text_is_a_record(tmp_path):
    of = system({PHI: {"kind": "String"}})
    cas = cassis.Cas(of)
    cas.sofa_string = LETTER
    annotate(cas, with_labels(PHI, "kind"))
    german = cas.create_view("german")
    german.sofa_string = "\U0001f600 Anna"
    german.add(of.get_type(PHI)(begin=2, end=6, kind="NAME_PATIENT"))
    cas.create_view("image")
    cas.to_xmi(tmp_path / "a.xmi")
    of.to_xml(tmp_path / "ts.xml")
    records = read_corpus(tmp_path, formats=[FORMAT]).records
    assert [each.document.record_id for each in records] == ["a", "a-german"]
    assert seen(records[1]) == [("Anna", "NAME_PATIENT")]


def test_line_ends_are_line_feeds_and_tags_stay_where_they_are(letters):
    text = LETTER.replace("\n", "\r\n")
    folder = letters({PHI: {"kind": "String"}}, with_labels(PHI, "kind"), text=text)
    (record, _) = read_corpus(folder, formats=[FORMAT]).records
    assert record.document.text == LETTER
    assert [one for one, _ in seen(record)] == [*MARKED]


def test_xml_1_1_is_read_and_what_only_it_has_is_replaced(letters):
    folder = letters({PHI: {"kind": "String"}}, with_labels(PHI, "kind"))
    for path in folder.glob("*.xmi"):
        data = path.read_text("utf-8").replace("version='1.0'", 'version="1.1"')
        path.write_text(data.replace('sofaString="Sehr', 'sofaString="&#1;ehr'), "utf-8")
    (record, _) = read_corpus(folder, formats=[FORMAT]).records
    assert record.document.text == "\ufffd" + LETTER[1:]
    assert "characters that XML 1.0 does not have replaced" in record.notes
    assert [one for one, _ in seen(record)] == [*MARKED]


def test_what_is_written_by_default_is_a_named_entity(tmp_path):
    text, tags = marked_up("Seen by \U0001f600 [Dr. Lee|DOCTOR] on [3/4|DATE].")
    other = Tag(Span(0, 4), PhiType("A", "B"), comment="or so", attributes=(("sure", "3"),))
    record = Record.of(Document("110-01", "110", text), [*tags, other])
    files = {each.name: each.data.decode() for each in FORMAT.write([record], WriteOptions())}
    assert [*files] == ["110-01.xmi", "TypeSystem.xml"]
    assert 'begin="11" end="18"' in files["110-01.xmi"]  # in UTF-16 units
    assert 'value="DOCTOR"' in files["110-01.xmi"]
    assert 'comment="or so" origin="hand" sure="3" value="A:B"' in files["110-01.xmi"]
    as_json = WriteOptions(values={"as": "json", "type": "x.Y", "feature": "z"})
    (file,) = FORMAT.write([record], as_json)
    assert file.name == "110-01.json"
    assert json.loads(file.data)["%TYPES"]["x.Y"]["z"]["%RANGE"] == "uima.cas.String"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"as": "yaml"}, "a CAS can be written as xmi or json, not as yaml"),
        ({"type": "a b"}, "a type or feature of a CAS has a name of letters"),
    ],
)
def test_a_wrong_option_is_refused(values, said):
    record = Record.of(Document("1", "1", "Lee"), [Tag(Span(0, 3), PhiType("A", "B"))])
    with pytest.raises(RequestError, match=said):
        list(FORMAT.write([record], WriteOptions(values=values)))


def broken(folder, problem):
    found = read_corpus(folder, formats=[FORMAT])
    assert found.records == ()
    assert {problem in str(each) for each in found.problems} == {True}


def test_a_file_without_its_type_system_is_an_error(letters):
    folder = letters({PHI: {"kind": "String"}}, with_labels(PHI, "kind"))
    (folder / "TypeSystem.xml").unlink()
    broken(folder, "has no type system beside it; put its TypeSystem.xml there")


def test_a_type_system_of_something_else_is_an_error(letters):
    folder = letters({PHI: {"kind": "String"}}, with_labels(PHI, "kind"))
    system({"a.B": {}}).to_xml(folder / "TypeSystem.xml")
    broken(folder, "has annotations of a type that its type system lacks")


@pytest.mark.parametrize(
    "content",
    ["<a", "<xmi:XMI xmlns:xmi='http://www.omg.org/XMI'/>", '<!DOCTYPE a [<!ENTITY b "c">]><a/>'],
)
def test_what_is_no_cas_is_an_error_and_no_crash(letters, content):
    folder = letters({PHI: {"kind": "String"}}, with_labels(PHI, "kind"))
    (folder / "letter_1.txt.xmi").write_text(content, "utf-8")
    found = read_corpus(folder, formats=[FORMAT])
    assert [each.document.record_id for each in found.records] == ["letter_2"]
    assert [type(each) for each in found.problems] == [FileFormatError]


def test_a_type_system_alone_is_no_record(letters):
    folder = letters({PHI: {"kind": "String"}}, with_labels(PHI, "kind"))
    found = read_corpus(folder)
    assert (len(found.records), found.problems, found.unread) == (2, (), ())
    (single,) = read_corpus(folder / "letter_1.txt.xmi").records
    assert seen(single) == seen(found.records[0])


@pytest.fixture
def exported(letters, tmp_path):
    """Two letters as INCEpTION exports them: a folder for each, with a file for each annotator."""
    folder = letters({PHI: {"kind": "String"}}, with_labels(PHI, "kind"))
    for number in (1, 2):
        below = tmp_path / "annotation" / f"letter_{number}.txt"
        below.mkdir(parents=True)
        for name in ("ana", "ben"):
            copyfile(folder / f"letter_{number}.txt.xmi", below / f"{name}.xmi")
        copyfile(folder / "TypeSystem.xml", below / "TypeSystem.xml")
    return tmp_path / "annotation"


def test_an_export_of_inception_has_a_layer_for_each_annotator(exported):
    found = read_corpus(exported)
    assert (found.problems, found.unread) == ((), ())
    assert [
        (each.document.record_id, [(layer.annotator, len(layer.tags)) for layer in each.layers])
        for each in found.records
    ] == [(f"letter_{n}", [("ana", 4), ("ben", 4)]) for n in (1, 2)]
    only = read_corpus(exported, formats=[FORMAT], options=ReadOptions({"annotator": "ben"}))
    assert [each.layer.annotator for each in only.records] == ["ben", "ben"]


def test_layers_of_one_record_have_one_text(exported):
    path = exported / "letter_1.txt" / "ben.xmi"
    path.write_text(path.read_text("utf-8").replace("Frau", "Herr"), "utf-8")
    found = read_corpus(exported)
    assert [len(each.layers) for each in found.records] == [1, 2]
    assert [each.problem for each in found.problems] == ["has another text than ana.xmi"]


@pytest.mark.parametrize("form", ["xmi", "json"])
@pytest.mark.parametrize("name", ["kind=1):pass#", "kind'", "class", "9", ""])
def test_a_feature_whose_name_would_be_run_as_a_program_is_refused(letters, form, name):
    folder = letters({PHI: {"kind": "String"}}, with_labels(PHI, "kind"), form)
    for path in folder.iterdir():
        said = path.read_text("utf-8")
        if path.suffix == ".json":
            path.write_text(said.replace('"kind"', f'"{name}"'), "utf-8")
        elif path.name == "TypeSystem.xml":
            path.write_text(said.replace("<name>kind<", f"<name>{name}<"), "utf-8")
    broken(folder, "has a feature with a name that is no word")
