"""A record's text, written from start to end, that knows where each PHI went."""

from dataclasses import dataclass

from shared.model import PhiType, Span
from shared.synthetic.dates import Days

_VOWEL_NUMBERS = ("8", "11", "18", "eight", "eleven")


@dataclass(frozen=True, slots=True)
class SlotMention:
    """One PHI as written: where, as what, of whom or what, and for a date which days it means."""

    span: Span
    phi_type: PhiType
    entity: str = ""
    days: Days | None = None


class RecordBuilder:
    """Appends text and PHI; wraps long lines by turning blanks into line ends, so offsets hold.

    `width` is the longest line in characters, None to leave lines as long as they are.
    """

    def __init__(self, width: int | None = None) -> None:
        self._width = width
        self._pieces: list[str] = []
        self._line: list[str] = []
        self._line_length = 0
        self._length = 0
        self._capital = False
        self._article = ""
        self.mentions: list[SlotMention] = []

    @property
    def column(self) -> int:
        """How far the line under way has come, before it is wrapped."""
        return self._line_length

    @property
    def at_sentence_start(self) -> bool:
        """True at the start of a line, after a full stop and after a list's number."""
        before = "".join(self._line[-3:]).rstrip()
        return not before or before[-1] in ".:-" or self._capital

    @property
    def text(self) -> str:
        """The text so far, the line under way included."""
        return "".join(self._pieces) + self._wrapped("".join(self._line))

    def capitalise_next(self) -> None:
        """Write the next letter as a capital."""
        self._capital = True

    def article_next(self) -> None:
        """Write "a" or "an" before what comes next."""
        self._article = "A" if self._capital else "a"
        self._capital = False

    def append(self, text: str) -> Span | None:
        """Append text that is no PHI; return where it went, None where it is empty."""
        if not text:
            return None
        text = self._prepared(text)
        start = self._length
        lines = text.split("\n")
        for line in lines[:-1]:
            self._extend(line)
            self._end_line()
        self._extend(lines[-1])
        return Span(start, self._length)

    def append_phi(
        self, text: str, phi_type: PhiType, entity: str = "", days: Days | None = None
    ) -> None:
        """Append text that is PHI and note the mention."""
        if self._article:
            self.append(self._take_article(text))
        span = self.append(text)
        if span is not None:
            self.mentions.append(SlotMention(span, phi_type, entity, days))

    def pad_to(self, column: int) -> None:
        """Append blanks up to a column of the line under way, at least one."""
        self.append(" " * max(1, column - self._line_length))

    def _prepared(self, text: str) -> str:
        if self._article:
            text = self._take_article(text) + text
        if self._capital and not text.isspace():
            text = text[0].upper() + text[1:]
            self._capital = False
        return text

    def _take_article(self, text: str) -> str:
        vowel = text[0] in "aeiouAEIO" or text.startswith(_VOWEL_NUMBERS)
        article = self._article + ("n " if vowel else " ")
        self._article = ""
        return article

    def _extend(self, text: str) -> None:
        if text:
            self._line.append(text)
            self._line_length += len(text)
            self._length += len(text)

    def _end_line(self) -> None:
        self._pieces.append(self._wrapped("".join(self._line)) + "\n")
        self._line.clear()
        self._line_length = 0
        self._length += 1

    def _wrapped(self, line: str) -> str:
        if self._width is None or len(line) <= self._width:
            return line
        characters = list(line)
        start = 0
        while len(line) - start > self._width:
            at = line.rfind(" ", start + 1, start + self._width + 1)
            if at < 0:
                break
            characters[at] = "\n"
            start = at + 1
        return "".join(characters)
