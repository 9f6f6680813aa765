"""CoNLL's columns: a token a line with its label in BIO, a blank line between sentences.

    # newdoc id = 110-02
    # text = "Seen by Dr. Lee."
    Seen    0    4    O
    by      5    7    O
    Dr      8    10   O
    .       10   11   O
    Lee     12   15   B-NAME:DOCTOR
    .       15   16   O

Written are tabs, offsets and the text as JSON, so that the record comes back as it was. Read is
also what has none of these: the label stands last, the text is then put together from the tokens;
`-DOCSTART-` begins a record as well; labels may be BIO, IOB or BIOES. A tag ends with its sentence.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from shared.errors import FileFormatError, SchemaError
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
from shared.formats.labels import label_of_type, type_of_label
from shared.formats.text_file import read_text, to_bytes
from shared.model import Document, Origin, Span, Tag
from shared.outside import parse_json
from shared.text.overlaps import resolve_overlaps

_COMMENT = re.compile(r"# ?(newdoc|text|[\w. ]+(?= =))(?: id)?(?: = (.*))?", re.ASCII)
_DOCSTART = "-DOCSTART-"
_TOKEN = re.compile(r"\w+|[^\w\s]")
_LONGEST_OFFSET = 18
"""Digits."""
_LABEL = re.compile(r"([BIESLU])-(.+)")
_UNFIT = re.compile(r"[\t\r\n]")


class ConllFormat(FileFormat):
    """One or more records in a file, with the tags of one annotator, none in another."""

    name = "conll"
    title = LISTED[name].title
    suffixes = (".conll", ".iob", ".bio")
    features = frozenset({Feature.TAGS, Feature.CHARACTERS})

    def read(self, paths: tuple[Path, ...], options: ReadOptions) -> Iterator[Record]:
        (path,) = paths
        parts = _records(path, read_text(path, options.encoding).text)
        for number, part in enumerate(parts, 1):
            name = record_id_of(path, self.suffixes)
            record_id = part.name or (name if len(parts) == 1 else f"{name}-{number}")
            source = RecordSource(path, "CoNLL", f"line {part.line}" if len(parts) > 1 else "")
            yield Record.of(Document(record_id, "", part.text), part.tags, source=source)

    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        for each in records:
            lines = [f"# newdoc id = {each.document.record_id}", *_lines(each), ""]
            data = to_bytes("\n".join(lines))
            yield OutputFile(f"{each.document.record_id}.conll", data)


# ---------------------------------------------------------------- writing


def _lines(record: Record) -> Iterator[str]:
    text = record.document.text
    tags = [each for each in record.tags if each.span.text_in(text).strip()]
    kept = resolve_overlaps(tags, lambda tag: (tag.start - tag.end, tag.sort_key()))
    yield f"# text = {json.dumps(text, ensure_ascii=False)}"
    last = 0
    for token, tag, is_first in _labelled(text, kept):
        if "\n" in text[last : token.start] and (tag is None or is_first):
            yield ""
        label = f"{'B' if is_first else 'I'}-{_label(tag)}" if tag else "O"
        yield f"{token.text_in(text)}\t{token.start}\t{token.end}\t{label}"
        last = token.end


def _labelled(text: str, tags: Sequence[Tag]) -> Iterator[tuple[Span, Tag | None, bool]]:
    """Yield the tokens, cut where a tag begins or ends, with the tag of each."""
    edges = sorted({0, len(text), *(t.start for t in tags), *(t.end for t in tags)})
    by_start = {each.start: each for each in tags}
    for start, end in pairwise(edges):
        tag, is_first = by_start.get(start), True
        for found in _TOKEN.finditer(text, start, end):
            yield Span(*found.span()), tag, is_first
            is_first = False


def _label(tag: Tag) -> str:
    label = label_of_type(tag.phi_type, is_qualified=True)
    if _UNFIT.search(label):
        raise SchemaError(f"CoNLL cannot hold the type of tag {tag.id}; rename it")
    return label


# ---------------------------------------------------------------- reading


@dataclass
class _ConllRecord:
    """A record that is being read: what its comments say, and its tokens."""

    path: Path
    line: int
    name: str = ""
    given: str | None = None
    """The text where the file has it, not only its tokens."""
    tags: list[Tag] = field(default_factory=list[Tag])
    _pieces: list[str] = field(default_factory=list[str])
    _length: int = 0
    _open: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.name or self._pieces) and self.given is None

    @property
    def text(self) -> str:
        return "".join(self._pieces[:-1]) if self.given is None else self.given

    def end_sentence(self) -> None:
        self._open = False
        if self._pieces:
            self._pieces[-1] = "\n"

    def add(self, line: int, columns: list[str]) -> None:
        """Add a token. Raises FileFormatError."""
        span = self._placed(line, columns)
        label = _LABEL.fullmatch(columns[-1])
        if label is None and columns[-1] != "O":
            raise FileFormatError(self.path, f"line {line} ends in no label such as B-NAME or O")
        if label is None:
            self._open = False
        else:
            self._mark(span, label[1], label[2])

    def _placed(self, line: int, columns: list[str]) -> Span:
        token = columns[0]
        if self.given is None:
            start, self._length = self._length, self._length + len(token) + 1
            self._pieces += (token, " ")  # the blank becomes a line feed where the sentence ends
            return Span(start, start + len(token))
        if len(columns) < 4 or not (columns[1].isdecimal() and columns[2].isdecimal()):
            raise FileFormatError(self.path, f"line {line} has no offsets; take out # text")
        if max(len(columns[1]), len(columns[2])) > _LONGEST_OFFSET:
            raise FileFormatError(self.path, f"line {line} has an offset beyond any text")
        start, end = int(columns[1]), int(columns[2])
        if not token or self.given[start:end] != token:
            problem = f"line {line}: the token is not what stands at its offsets; correct them"
            raise FileFormatError(self.path, problem)
        return Span(start, end)

    def _mark(self, span: Span, prefix: str, label: str) -> None:
        phi_type = type_of_label(label)
        last = self.tags[-1] if self.tags else None
        if prefix not in "BSU" and self._open and last and last.phi_type == phi_type:
            self.tags[-1] = Tag(Span(last.start, span.end), phi_type, origin=last.origin)
        else:
            self.tags.append(Tag(span, phi_type, origin=Origin.IMPORT))
        self._open = prefix in "BI"


def _records(path: Path, content: str) -> list[_ConllRecord]:
    parts = [_ConllRecord(path, 1)]
    for number, line in enumerate(content.split("\n"), 1):
        comment = _COMMENT.fullmatch(line)
        columns = line.split("\t") if "\t" in line else line.split()
        if (comment and comment[1] == "newdoc") or columns[:1] == [_DOCSTART]:
            parts += [] if parts[-1].is_empty else [_ConllRecord(path, number)]
            parts[-1].name = (comment and comment[2]) or ""
        elif comment:
            _take_text(parts[-1], number, comment)
        elif columns:
            parts[-1].add(number, columns)
        else:
            parts[-1].end_sentence()
    if parts[-1].is_empty:
        raise FileFormatError(path, "holds no tokens")
    return parts


def _take_text(part: _ConllRecord, line: int, comment: re.Match[str]) -> None:
    """Take the text of a record as we write it; that of a sentence, as in CoNLL-U, is not."""
    if comment[1] != "text" or not (comment[2] or "").startswith('"'):
        return
    try:
        part.given = str(parse_json(comment[2]))
    except ValueError:
        raise FileFormatError(part.path, f"line {line}: the text is no JSON") from None
