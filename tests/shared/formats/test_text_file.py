import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.formats.base import Record, WriteOptions
from shared.formats.text_file import TextFormat, decode, from_bytes, to_bytes
from shared.model import Document
from tests.strategies import texts

NOTE = "Anamnèse du patient: Zoë Müller, suivie à l’hôpital – 20 €."


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (NOTE.encode(), "UTF-8"),
        (codecs.BOM_UTF8 + NOTE.encode(), "UTF-8 with byte-order mark"),
        (codecs.BOM_UTF16_LE + NOTE.encode("utf-16-le"), "UTF-16 LE"),
        (codecs.BOM_UTF16_BE + NOTE.encode("utf-16-be"), "UTF-16 BE"),
        (NOTE.encode("utf-16-le"), "UTF-16 LE"),
        (NOTE.encode("utf-16-be"), "UTF-16 BE"),
        (codecs.BOM_UTF32_LE + NOTE.encode("utf-32-le"), "UTF-32 LE"),
        (codecs.BOM_UTF32_BE + NOTE.encode("utf-32-be"), "UTF-32 BE"),
        (NOTE.encode("cp1252"), "Windows-1252"),
    ],
)
def test_encodings_are_told_apart(data, encoding):
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == (NOTE, encoding)


def test_what_windows_1252_does_not_define_is_latin_1():
    decoded = decode(b"M\xfcller \x81")
    assert (decoded.text, decoded.encoding) == ("Müller \x81", "Latin-1")


def test_a_script_that_is_not_latin_is_guessed():
    text = "Пациент поступил в больницу с жалобами на боль в груди и одышку. " * 3
    assert decode(text.encode("cp1251")).text == text


def test_utf8_is_nothing_to_note_and_others_are():
    assert decode(NOTE.encode()).notes == ()
    assert decode(NOTE.encode("cp1252")).notes == ("read as Windows-1252",)


def test_all_line_ends_become_line_feeds():
    decoded = decode(b"a\r\nb\rc\nd\r\r\n")
    assert decoded.text == "a\nb\nc\nd\n\n"
    assert decoded.notes == ("carriage returns turned into line feeds",)


@pytest.mark.parametrize(
    "text", ["\x0c", "\x00\x1b", "\U0001f600", "e\u0301", "שלום", "\u2028\x85", "\ud83d x", ""]
)
def test_nothing_else_changes(text):
    assert decode(to_bytes(text)).text == text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_unpaired_surrogates_come_through_utf16(codec):
    data = "\ufeffAnn \ud83d Lee".encode(codec, "surrogatepass")
    assert decode(data).text == "Ann \ud83d Lee"


def test_a_utf16_file_that_was_cut_off_keeps_the_rest():
    assert decode(codecs.BOM_UTF16_LE + "Ann".encode("utf-16-le")[:-1]).text == "An\ufffd"


@given(st.binary())
def test_every_file_can_be_decoded(data):
    assert "\r" not in decode(data).text


@given(texts())
def test_our_own_files_come_back(text):
    assert from_bytes(to_bytes(text)) == text


@pytest.mark.parametrize("text", ["\ufeffSeen.", "a\0b\0c\0d\0", "\ufffe", "\ufeff", ""])
def test_a_text_that_looks_like_another_encoding_comes_back(tmp_path, text):
    (file,) = TextFormat().write([Record(Document("110-01", "110", text))], WriteOptions())
    assert decode(file.data).text == text
