from pathlib import Path

import pytest
from hypothesis import assume, given

from shared.errors import ModelError
from shared.formats.i2b2_xml import parse_record
from shared.formats.mae_xml import format_mae
from shared.formats.xml_characters import xml_copy
from shared.model import Layer, PhiType, Span, Tag
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
