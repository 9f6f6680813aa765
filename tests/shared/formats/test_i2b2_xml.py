from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import FileFormatError, ModelError, StorageError, TextMismatchError
from shared.formats.i2b2_xml import format_record, parse_record, read_record
from shared.formats.xml_characters import xml_copy
from shared.model import Layer, Origin, PhiType, Span, Tag
from tests.builders import phi
from tests.strategies import documents_with_layers

PATH = Path("110-01.xml")
WRITTEN = "Ann Lee"
DOCTOR = PhiType("NAME", "DOCTOR")


def xml(text, *tags, root="deIdi2b2", more=""):
    body = f"<TEXT>{text}</TEXT><TAGS>{''.join(tags)}</TAGS>{more}"
    return f"<?xml version='1.0' encoding='UTF-8'?><{root}>{body}</{root}>".encode()


def name(where, text=None, **more):
    attributes = {"id": "P0", **({"text": text} if text else {}), "TYPE": "DOCTOR", **more}
    written = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    return f"<NAME {where} {written}/>"


def layer_of(*tags, unknown=()):
    return Layer.of("110-01", "ana", tags, unknown)


def fields(tag):
    return tag, tag.id


@pytest.mark.parametrize(
    "text",
    [
        "A &amp; B Ann Lee",
        "<![CDATA[A & B Ann Lee]]>",
        "<![CDATA[A & ]]><![CDATA[B Ann Lee]]>",
        "A &amp; <![CDATA[B Ann Lee]]>",
        "<!-- seen -->A &#38; B <!-- twice -->Ann Lee",
    ],
)
def test_text_may_be_escaped_or_in_cdata(text):
    record = parse_record(xml(text, name('start="6" end="13"', WRITTEN)), PATH)
    assert record.text == "A & B Ann Lee"
    assert record.tags == (Tag(Span(6, 13), DOCTOR, origin=Origin.IMPORT),)


@pytest.mark.parametrize("where", ['start="0" end="7"', 'spans="0~7"'])
def test_offsets_may_be_start_and_end_or_spans(where):
    record = parse_record(xml("Ann Lee", name(where, WRITTEN)), PATH)
    assert record.tags[0].span == Span(0, 7)
    assert record.tags[0].attributes == ()


def test_the_root_and_the_order_of_its_elements_do_not_matter():
    data = b"<X><TAGS><NAME id='a' start='0' end='3' TYPE='PATIENT'/></TAGS><TEXT>Ann</TEXT></X>"
    assert parse_record(data, PATH).tags[0].phi_type == PhiType("NAME", "PATIENT")


def test_a_file_without_tags_is_a_record():
    assert parse_record(b"<a><TEXT>Ann</TEXT></a>", PATH).tags == ()


def test_without_a_type_the_category_is_the_type():
    record = parse_record(xml("1/2", '<DATE id="D0" start="0" end="3" text="1/2"/>'), PATH)
    assert record.tags[0].phi_type == PhiType("DATE", "DATE")


def test_non_consuming_tags_links_and_other_children_survive():
    link = '<REL id="R0" fromID="N0" toID="L0"/>'
    meta = '<META><label color="yellow"/></META>'
    whole = '<NAME spans="-1~-1" id="N9" TYPE="DOCTOR"/>'
    record = parse_record(xml("Ann", whole, link, more=meta), PATH)
    written = format_record(record.text, layer_of(*record.tags, unknown=record.unknown))
    for element in (link, meta, whole):
        assert element in written.decode()
    assert parse_record(written, PATH).unknown == record.unknown


def test_unknown_attributes_survive():
    tag = name(
        'start="0" end="3"', "Ann", _annotator="A|B", origin="somewhere", confidence="high &lt; 1"
    )
    first = parse_record(xml("Ann", tag), PATH)
    again = parse_record(format_record("Ann", layer_of(*first.tags)), PATH)
    assert again.tags == first.tags
    assert first.tags[0].attributes == (
        ("_annotator", "A|B"),
        ("origin", "somewhere"),
        ("confidence", "high < 1"),
    )


def test_attributes_in_namespaces_survive():
    where = 'start="0" end="3" xmlns:m="urn:m" m:a="1" xml:space="preserve"'
    first = parse_record(xml("Ann", name(where)), PATH)
    again = parse_record(format_record("Ann", layer_of(*first.tags)), PATH)
    assert again.tags == first.tags
    assert len(first.tags[0].attributes) == 2


def test_origin_and_confidence_come_back():
    tag = Tag(Span(0, 3), DOCTOR, "P0", "", Origin.SUGGESTION, 0.75)
    assert parse_record(format_record("Ann", layer_of(tag)), PATH).tags == (tag,)


def test_bare_files_hold_neither_origin_nor_confidence():
    tag = Tag(Span(0, 3), DOCTOR, "P0", "", Origin.SUGGESTION, 0.75)
    data = format_record("Ann", layer_of(tag), bare=True)
    assert b"origin" not in data
    assert b"confidence" not in data


@pytest.mark.parametrize("confidence", ["2", "nan", "x"])
def test_a_confidence_that_is_none_is_kept_as_it_is(confidence):
    tag = name('start="0" end="3"', "Ann", origin="suggestion", confidence=confidence)
    read = parse_record(xml("Ann", tag), PATH).tags[0]
    assert (read.confidence, read.attributes) == (None, (("confidence", confidence),))


def test_the_file_looks_like_those_of_i2b2():
    tag = Tag(Span(4, 7), phi("DOCTOR"), "P0", "sure")
    assert format_record("Dr. Lee", layer_of(tag)).decode() == (
        '<?xml version="1.0" encoding="UTF-8" ?>\n'
        "<deIdi2b2>\n"
        "<TEXT><![CDATA[Dr. Lee]]></TEXT>\n"
        "<TAGS>\n"
        '<NAME id="P0" start="4" end="7" text="Lee" TYPE="DOCTOR" comment="sure" '
        'origin="hand" />\n'
        "</TAGS>\n"
        "</deIdi2b2>\n"
    )


def test_mae_counts_utf16_units_and_is_read_so():
    record = parse_record(xml("\U0001f600 Ann Lee", name('spans="3~10"', WRITTEN)), PATH)
    assert record.tags[0].span == Span(2, 9)
    assert record.notes == ("offsets counted in UTF-16 units",)


def test_offsets_that_fit_as_code_points_are_code_points():
    record = parse_record(xml("\U0001f600 Ann Lee", name('spans="2~9"', WRITTEN)), PATH)
    assert (record.tags[0].span, record.notes) == (Span(2, 9), ())


@pytest.mark.parametrize("said", ["Ann Lee", "Ann&#10;Lee", "Ann\tLee", "Ann\ufffdLee"])
def test_blanks_and_stand_ins_in_a_tags_text_compare_one_for_one(said):
    record = parse_record(xml("Ann\nLee", name('start="0" end="7"', said)), PATH)
    assert record.text == "Ann\nLee"


def test_carriage_returns_become_line_feeds_and_offsets_follow():
    data = xml("a&#13;\nb&#13;Ann Lee", name('start="5" end="12"', WRITTEN))
    record = parse_record(data, PATH)
    assert record.text == "a\nb\nAnn Lee"
    assert record.tags[0].span.text_in(record.text) == WRITTEN
    assert record.notes == ("carriage returns turned into line feeds",)


def test_line_ends_of_windows_are_folded_before_offsets_count():
    record = parse_record(xml("a\r\nAnn Lee", name('start="2" end="9"', WRITTEN)), PATH)
    assert record.tags[0].span.text_in(record.text) == WRITTEN


def test_other_encodings_than_utf8_are_read_as_declared():
    data = "<?xml version='1.0' encoding='ISO-8859-1'?><a><TEXT>Müller</TEXT></a>"
    assert parse_record(data.encode("latin-1"), PATH).text == "Müller"


BROKEN = {
    "line 1": b"<a><TEXT>Ann Lee</TEXT>",
    "no TEXT element": b"<a><TAGS/></a>",
    "2 TEXT elements": b"<a><TEXT>Ann Lee</TEXT><TEXT/></a>",
    "elements inside TEXT": b"<a><TEXT>Seen by <NAME>Ann Lee</NAME></TEXT></a>",
    "declares entities": b'<!DOCTYPE a [<!ENTITY x "Ann Lee">]><a><TEXT>&x;</TEXT></a>',
    "entities, which": b"<!DOCTYPE a SYSTEM 'x'><a>&x;<TEXT>Ann Lee</TEXT></a>",
    "tag P0 has offsets that are not whole numbers": xml(WRITTEN, name('start="0" end="x"')),
    "tag P0 has offsets that": xml(WRITTEN, name('start="0"')),
    "not whole numbers": xml(WRITTEN, name('spans="0"')),
    "tag P0 has pieces that overlap": xml(WRITTEN, name('spans="0~3,2~7"')),
    "tag P0 has the offsets [0, 8) in a record of 7": xml(WRITTEN, name('start="0" end="8"')),
    "tag P0 has the offsets [5, 5)": xml(WRITTEN, name('start="5" end="5"')),
    "tag P0 has the offsets [-2, 5)": xml(WRITTEN, name('start="-2" end="5"')),
    "two tags have the id P0": xml(WRITTEN, *[name('start="0" end="3"')] * 2),
    "tag without an id (line 1) has the": xml(WRITTEN, '<NAME start="0" end="9"/>'),
    "holds content of its own": xml(WRITTEN, '<NAME id="P0" start="0" end="3">Ann Lee</NAME>'),
    "not in the encoding it declares": "<a><TEXT>Müller Ann Lee</TEXT></a>".encode("latin-1"),
    "is not well-formed XML": b"",
}


@pytest.mark.parametrize(("said", "data"), BROKEN.items(), ids=BROKEN)
def test_a_broken_file_is_named_in_one_sentence_without_its_text(said, data):
    with pytest.raises(FileFormatError) as caught:
        parse_record(data, PATH)
    sentence = str(caught.value)
    assert said in sentence
    assert sentence.startswith("110-01.xml: ")
    assert "Lee" not in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("text", ["Seen by Ann Lee", "\U0001f600een by Ann Lee"])
def test_a_tag_that_holds_another_text_is_named_with_its_offsets(text):
    with pytest.raises(TextMismatchError) as caught:
        parse_record(xml(text, name('start="7" end="14"', WRITTEN)), PATH)
    assert (caught.value.tag_id, caught.value.start, caught.value.end) == ("P0", 7, 14)
    assert "Lee" not in str(caught.value)


def test_an_id_is_shown_in_one_short_line():
    tag = name('start="0" end="9"').replace("P0", "a&#10;" + "b" * 99)
    with pytest.raises(FileFormatError) as caught:
        parse_record(xml("Ann", tag), PATH)
    assert f"tag a {'b' * 38} has" in str(caught.value)


def test_entities_are_not_expanded_from_files(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("hush", "utf-8")
    data = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]><a><TEXT>&x;</TEXT></a>'
    with pytest.raises(FileFormatError, match="declares entities"):
        parse_record(data.encode(), PATH)


def test_a_billion_laughs_are_refused():
    lines = ['<!ENTITY l0 "ha">']
    lines += [f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12)]
    data = f"<!DOCTYPE a [{''.join(lines)}]><a x='&l11;'><TEXT>Ann</TEXT></a>"
    with pytest.raises(FileFormatError):
        parse_record(data.encode(), PATH)


def test_a_missing_file_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError, match="check the name"):
        read_record(tmp_path / "110-01.xml")


@pytest.mark.parametrize("size", [5_000_000, 12_000_000])
def test_large_records_are_read_and_written(size):
    text = "x" * size + "\U0001f600 Ann Lee"
    tag = Tag(Span(size + 2, size + 9), DOCTOR, "P0")
    record = parse_record(format_record(text, layer_of(tag)), PATH)
    assert (record.text, record.tags) == (text, (tag,))


def test_large_files_that_declare_anything_are_refused():
    data = b"<!DOCTYPE a><a><TEXT>" + b"x" * 9_000_000 + b"</TEXT></a>"
    with pytest.raises(FileFormatError, match="declares entities"):
        parse_record(data, PATH)


def test_files_beyond_all_bounds_are_refused():
    with pytest.raises(FileFormatError, match="larger than the 64 MB"):
        parse_record(b" " * 64_000_001, PATH)


@given(documents_with_layers())
def test_every_record_and_layer_come_back(made):
    document, layer = made
    data = format_record(document.text, layer)
    record = parse_record(data, PATH)
    assert record.text == xml_copy(document.text)
    assert len(record.text) == len(document.text)
    assert [fields(tag) for tag in record.tags] == [fields(tag) for tag in layer.tags]


@given(documents_with_layers())
def test_what_was_read_is_written_as_the_same_bytes(made):
    document, layer = made
    data = format_record(document.text, layer)
    record = parse_record(data, PATH)
    again = Layer.of("110-01", "ben", reversed(record.tags), record.unknown)
    assert format_record(record.text, again) == data


@given(st.text(), st.text())
def test_comments_and_unknown_attributes_come_back(comment, value):
    tag = Tag(Span(0, 3), DOCTOR, "P0", comment, attributes=(("note", value),))
    read = parse_record(format_record("Ann", layer_of(tag)), PATH).tags
    expected = replace(tag, comment=xml_copy(comment), attributes=(("note", xml_copy(value)),))
    assert read == (expected,)


def test_an_attribute_of_ours_is_not_written_twice():
    tag = Tag(Span(0, 3), DOCTOR, "P0", attributes=(("origin", "elsewhere"), ("id", "X")))
    read = parse_record(format_record("Ann", layer_of(tag)), PATH).tags[0]
    assert (read.id, read.origin, read.attributes) == ("P0", Origin.HAND, ())


@pytest.mark.parametrize(
    "tag", [Tag(Span(0, 9), DOCTOR, "P0"), Tag(Span(0, 3), PhiType("A B", "C"), "P0")]
)
def test_a_layer_that_no_file_can_hold_is_refused(tag):
    with pytest.raises(ModelError, match="tag P0"):
        format_record("Ann", layer_of(tag))


@given(documents_with_layers())
def test_tags_as_usual_are_the_same_beside_one_that_is_not(made):
    document, layer = made
    data = format_record(document.text, layer)
    no_text = b'<NAME id="other" spans="-1~-1" TYPE="DOCTOR" />'
    beside = parse_record(data.replace(b"</TAGS>", no_text + b"</TAGS>"), PATH)
    record = parse_record(data, PATH)
    assert list(map(fields, beside.tags)) == list(map(fields, record.tags))
    assert len(beside.unknown) == len(record.unknown) + 1
