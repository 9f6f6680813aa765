from pathlib import Path

import pytest
from hypothesis import assume, given

from shared.errors import (
    FileFormatError,
    ModelError,
    SchemaError,
    StorageError,
    TextMismatchError,
)
from shared.formats.base import ReadOptions, WriteOptions
from shared.formats.i2b2_xml import parse_record
from shared.formats.mae import format_dtd, format_mae, read_dtd
from shared.formats.registry import FORMATS
from shared.formats.schema_auto import schema_of_types
from shared.formats.xml_characters import xml_copy
from shared.model import Layer, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from tests.strategies import documents_with_layers

DOCTOR = PhiType("NAME", "DOCTOR")


def layer_of(*tags):
    return Layer.of("110-01", "ana", tags)


def test_spans_count_utf16_units():
    data = format_mae("\U0001f600 Ann\nLee", layer_of(Tag(Span(2, 9), DOCTOR, "P0")))
    assert '<NAME id="P0" spans="3~10" text="Ann Lee" TYPE="DOCTOR" comment="" />' in data.decode()


def test_a_text_that_mae_cannot_read_is_refused_by_name_and_place():
    with pytest.raises(ModelError, match=r"record 110-01 holds \]\]> at 4"):
        format_mae("Ann ]]> Lee", layer_of())


@pytest.mark.parametrize(
    "tag", [Tag(Span(0, 9), DOCTOR, "P0"), Tag(Span(0, 3), PhiType("A B", "C"), "P0")]
)
def test_a_tag_that_mae_cannot_hold_is_refused(tag):
    with pytest.raises(ModelError, match="tag P0"):
        format_mae("Ann", layer_of(tag))


def test_spans_that_fit_in_either_unit_are_utf16_units():
    text = "\U0001f600 Bed 11."
    layer = layer_of(Tag(Span(6, 7), DOCTOR, "P0"))
    record = parse_record(format_mae(text, layer), Path("110-01.xml"))
    assert [tag.span for tag in record.tags] == [Span(6, 7)]


def test_what_is_written_for_mae_is_read_at_the_same_places():
    text = "\U0001f600 Ann Lee\n\U0001f600\U0001f600 Bo Li"
    layer = layer_of(Tag(Span(2, 9), DOCTOR, "P0"), Tag(Span(13, 18), DOCTOR, "P1"))
    record = parse_record(format_mae(text, layer), Path("110-01.xml"))
    assert (record.text, [tag.span for tag in record.tags]) == (text, [Span(2, 9), Span(13, 18)])


@given(documents_with_layers())
def test_every_record_without_a_cdata_end_can_be_written_for_mae(made):
    document, layer = made
    assume("]]>" not in document.text)
    record = parse_record(format_mae(document.text, layer), Path("110-01.xml"))
    assert record.text == xml_copy(document.text)
    assert [tag.phi_type for tag in record.tags] == [tag.phi_type for tag in layer.tags]


def read_again(tmp_path, content, target):
    """What is written of a file that MAE or MedTator wrote."""
    (tmp_path / "doc_1.txt.xml").write_text(content, "utf-8")
    (record,) = FORMATS[target].read((tmp_path / "doc_1.txt.xml",), ReadOptions())
    files = FORMATS[target].write([record], WriteOptions())
    return record, {each.name: each.data.decode() for each in files}


@pytest.mark.parametrize("target", ["mae", "medtator"])
def test_a_file_of_a_task_comes_back_with_all_that_it_holds(tmp_path, target):
    content = (
        '<?xml version="1.0" encoding="UTF-8" ?>\n<VAX_TASK>\n'
        "<TEXT><![CDATA[\U0001f600 Ann and Bo Lee]]></TEXT>\n<TAGS>\n"
        '<NAME id="N1" spans="3~6,14~17" text="Ann ... Lee" TYPE="NAME" comment="" sure="no" />\n'
        '<WARD id="W0" spans="-1~-1" text="" />\n<REL id="R0" fromID="N1" toID="N1"/>\n</TAGS>\n'
        '<META key="x"/>\n</VAX_TASK>\n'
    )
    record, written = read_again(tmp_path, content, target)
    assert [(each.span, each.id) for each in record.tags] == [
        (Span(2, 5), "N1"), (Span(13, 16), "N1.2"),
    ]  # fmt: skip
    assert written["doc_1.xml"].replace('"/>', '" />') == content.replace('"/>', '" />')
    assert '<!ENTITY name "VAX_TASK">' in written["VAX_TASK.dtd"]
    assert '<!ATTLIST NAME sure CDATA "" >' in written["VAX_TASK.dtd"]


@pytest.mark.parametrize(("said", "is_read"), [("ann lee", True), ("An", True), ("Bo", False)])
def test_offsets_are_believed_where_the_text_of_a_tag_is_only_out_of_date(tmp_path, said, is_read):
    content = (
        "<T><TEXT>Seen by Ann Lee</TEXT><TAGS>"
        f"<NAME id='N1' spans='8~15' text='{said}'/></TAGS></T>"
    )
    if is_read:
        record, _ = read_again(tmp_path, content, "mae")
        assert [each.span for each in record.tags] == [Span(8, 15)]
        assert [(each.tag_id, each.is_dropped) for each in record.lost] == [("N1", False)]
    else:
        with pytest.raises(TextMismatchError):
            read_again(tmp_path, content, "mae")


TASK = """<!ENTITY name "phi">
<!-- who -->
<!ELEMENT NAME ( #PCDATA ) >
<!ATTLIST NAME TYPE ( PATIENT | DOCTOR ) #IMPLIED "PATIENT" >
<!ATTLIST NAME comment CDATA "NA" >
<!ELEMENT DATE (#PCDATA)>
<!ATTLIST DATE TYPE CDATA "DATE" >
<!ELEMENT AGE ( #PCDATA ) >
<!ATTLIST AGE TYPE (YEARS|MONTHS) >
<!ELEMENT WARD ( #PCDATA ) >
<!ELEMENT NO_PHI ( #PCDATA ) >
<!ATTLIST NO_PHI spans #IMPLIED >
<!ELEMENT REL EMPTY >
<!ATTLIST REL TYPE ( SAME | OTHER ) #IMPLIED "SAME" >
"""


def names(schema):
    return [str(each.phi_type) for each in schema.types()]


def written(tmp_path, content):
    path = tmp_path / "task.dtd"
    path.write_bytes(content)
    return path


def test_extent_elements_are_categories_and_values_of_type_are_types(tmp_path):
    schema = read_dtd(written(tmp_path, TASK.encode()))
    assert schema.name == "phi"
    assert names(schema) == [
        "NAME:PATIENT",
        "NAME:DOCTOR",
        "DATE",
        "AGE:YEARS",
        "AGE:MONTHS",
        "WARD",
    ]


def test_line_ends_of_windows_do_not_matter(tmp_path):
    data = TASK.replace("\n", "\r\n").encode("utf-8-sig")
    assert names(read_dtd(written(tmp_path, data)))[:2] == ["NAME:PATIENT", "NAME:DOCTOR"]


def test_what_is_written_is_read(tmp_path):
    schema = read_dtd(written(tmp_path, format_dtd(I2B2_2014, "deIdi2b2")))
    assert schema.name == "deIdi2b2"
    assert names(schema) == names(I2B2_2014)


def test_the_dialect_is_the_one_that_mae_reads():
    types = [PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR"), PhiType("DATE", "DATE")]
    assert format_dtd(schema_of_types(types, "short"), "phi").decode().splitlines() == [
        '<!ENTITY name "phi">',
        "",
        "<!ELEMENT NAME ( #PCDATA ) >",
        '<!ATTLIST NAME TYPE ( PATIENT | DOCTOR ) #IMPLIED "PATIENT" >',
        '<!ATTLIST NAME comment CDATA "" >',
        "",
        "<!ELEMENT DATE ( #PCDATA ) >",
        '<!ATTLIST DATE TYPE CDATA "DATE" >',
        '<!ATTLIST DATE comment CDATA "" >',
    ]


def test_a_type_that_mae_cannot_hold_is_refused():
    with pytest.raises(SchemaError, match="rename it"):
        format_dtd(schema_of_types([PhiType("NAME", "A|B")], "odd"), "phi")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a MAE task definition"),
        (b"<!ELEMENT NAME ( #PCDATA ) >", "needs an ENTITY name"),
        (TASK.replace("| DOCTOR", "| PATIENT").encode(), "the type NAME:PATIENT is there twice"),
    ],
)
def test_what_is_no_task_definition_is_refused(tmp_path, content, said):
    with pytest.raises(FileFormatError, match=said):
        read_dtd(written(tmp_path, content))


def test_a_missing_file_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError):
        read_dtd(tmp_path / "none.dtd")
