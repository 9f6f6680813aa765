"""Plain text: decoding what hospitals send, and the one encoding that Tandem keeps.

`decode` is for files from outside. `to_bytes` and `from_bytes` are for records in a project:
UTF-8 and LF, in which every string that Python can hold comes back, unpaired surrogates too.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.errors import FileFormatError
from shared.formats.base import (
    Feature,
    FileFormat,
    OutputFile,
    ReadOptions,
    Record,
    RecordSource,
    WriteOptions,
    record_id_of,
)
from shared.formats.format_list import LISTED
from shared.model import Document
from shared.outside import read_bounded

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32 LE"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32 BE"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16 LE"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16 BE"),
)
RETURNS_NOTE = "carriage returns turned into line feeds"

_SAMPLE = 4096
_FEW = 4
"""Fewer characters than these do not show that a file is UTF-16."""

_HIGH = re.compile(b"[\x80-\xff]")
_LETTER = re.compile(b"[A-Za-z]")
_FAR_FROM_LATIN = ("cp1251", "koi8_r", "cp1253", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr")
"""Encodings worth guessing at; for Latin scripts guesses err more often than Windows-1252."""
_RETURN = re.compile("\r\n?")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The text, the name of its encoding, and what a person should know about the decoding."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


class TextFormat(FileFormat):
    """One record in a file, without tags."""

    name = "text"
    title = LISTED[name].title
    suffixes = (".txt",)
    features = frozenset({Feature.CHARACTERS})

    def read(self, paths: tuple[Path, ...], options: ReadOptions) -> Iterator[Record]:
        (path,) = paths
        text = read_text(path, options.encoding)
        document = Document(record_id_of(path), "", text.text)
        yield Record(document, (), RecordSource(path, text.encoding), text.notes)

    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        for each in records:
            data = to_bytes(each.document.text)
            if decode(data).text != each.document.text:  # begins with a mark, or looks like UTF-16
                data = codecs.BOM_UTF8 + data
            yield OutputFile(f"{each.document.record_id}.txt", data)


def read_text(path: Path, encoding: str = "") -> DecodedText:
    """Read a file from outside, as `read_raw`; its lines end in LF."""
    return _with_line_feeds(read_raw(path, encoding))


def read_raw(path: Path, encoding: str = "") -> DecodedText:
    """Read a file from outside with its line ends as they are.

    Raises StorageError, and where it is not in the encoding that is asked for FileFormatError.
    """
    data = read_bounded(path)
    if not encoding:
        return _decoded(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        problem = f"is not in {encoding} (byte {error.start}); name another encoding"
        raise FileFormatError(path, problem) from None
    return DecodedText(text.removeprefix("\ufeff"), encoding, (f"read as {encoding}",))


def decode(data: bytes) -> DecodedText:
    """Return the text of a file from outside; never fails, and says what it did.

    CR LF and CR become LF, a byte-order mark is dropped, and nothing else changes.
    """
    return _with_line_feeds(_decoded(data))


def is_text_encoding(name: str) -> bool:
    """Whether text can be in it: `hex` and the like are no encodings of text."""
    try:
        "".encode(name)
    except LookupError:
        return False
    return True


def to_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def from_bytes(data: bytes) -> str:
    """Return the text of a record in a project. Raises UnicodeDecodeError."""
    return data.decode("utf-8", "surrogatepass")


def _with_line_feeds(text: DecodedText) -> DecodedText:
    if "\r" not in text.text:
        return text
    return DecodedText(_RETURN.sub("\n", text.text), text.encoding, (*text.notes, RETURNS_NOTE))


def _decoded(data: bytes) -> DecodedText:
    text, encoding = _text_and_encoding(data)
    notes = () if encoding.startswith("UTF-8") else (f"read as {encoding}",)
    return DecodedText(text, encoding, notes)


def _text_and_encoding(data: bytes) -> tuple[str, str]:
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _wide(data[len(mark) :], codec), name
    if data.startswith(codecs.BOM_UTF8):
        text = _tried(data[len(codecs.BOM_UTF8) :], "utf-8")
        if text is not None:
            return text, "UTF-8 with byte-order mark"
    codec = _utf16_without_mark(data)
    if codec:
        return _wide(data, codec), f"{codec[:-3].upper()} {codec[-2:].upper()}"
    text = _tried(data, "utf-8")
    return (text, "UTF-8") if text is not None else _one_byte(data)


def _tried(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec, "surrogatepass")
    except UnicodeDecodeError:
        return None


def _wide(data: bytes, codec: str) -> str:
    """Decode; what cannot be, such as half a character at a cut-off end, becomes U+FFFD."""
    text = _tried(data, codec)
    return data.decode(codec, "replace") if text is None else text


def _utf16_without_mark(data: bytes) -> str:
    """Name the codec where every other byte is mostly zero, as it is in Western UTF-16."""
    sample = data[:_SAMPLE]
    half = len(sample) // 2
    if half < _FEW or len(data) % 2:
        return ""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > half * 0.4 and even < half * 0.1:
        return "utf-16-le"
    if even > half * 0.4 and odd < half * 0.1:
        return "utf-16-be"
    return ""


def _one_byte(data: bytes) -> tuple[str, str]:
    sample = data[: _SAMPLE * 16]
    if len(_HIGH.findall(sample)) > len(_LETTER.findall(sample)):
        guessed = _guessed(data)
        if guessed is not None:
            return guessed
    text = _tried(data, "cp1252")
    return (text, "Windows-1252") if text is not None else (data.decode("latin-1"), "Latin-1")


def _guessed(data: bytes) -> tuple[str, str] | None:
    from charset_normalizer import from_bytes as guess

    best = guess(data, cp_isolation=list(_FAR_FROM_LATIN)).best()
    text = None if best is None else _tried(data, best.encoding)
    return None if best is None or text is None else (text, best.encoding)
