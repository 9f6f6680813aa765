"""What there is to say of each record of an open patient: day, title, tags, what is unread."""

from collections import Counter

from shared.language.languages import Language
from shared.language.record_headings import HEAD, record_day, record_title
from shared.project.edits import Edit
from shared.project.patient_session import PatientSession


class RecordSummaries:
    """Tells each when it is asked for; an edit costs what it changes.

    Days and titles are "" until `language` is there: reading it may take longer than opening.
    """

    def __init__(self, session: PatientSession) -> None:
        self._session = session
        self._view = session.view
        self._tags = Counter(each.record_id for each in session.tags)
        self._days: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self.language: Language | None = None

    @property
    def record_ids(self) -> list[str]:
        """The records in the order of the text."""
        return [each.record_id for each in self._view.sections]

    def day(self, record_id: str) -> str:
        if record_id not in self._days and self.language is not None:
            self._days[record_id] = record_day(self._text(record_id), self.language)
        return self._days.get(record_id, "")

    def title(self, record_id: str) -> str:
        """The line that reads as the record's title, without what is tagged in it."""
        if record_id not in self._titles and self.language is not None:
            section = self._view.section(record_id)
            line = self._session.tags.query(section.start, section.start + HEAD)
            hidden = [(each.start - section.start, each.end - section.start) for each in line]
            text = self._text(record_id)
            self._titles[record_id] = record_title(text, self.language, hidden)
        return self._titles.get(record_id, "")

    def tag_count(self, record_id: str) -> int:
        return self._tags[record_id]

    def unread_share(self, record_id: str) -> float:
        """How much of a record has not been on the screen, from 0 to 1."""
        return self._session.reading.unread_share(record_id)

    def apply_edit(self, edit: Edit) -> set[str]:
        """Take note of a change of the tags; returns the records that it is in."""
        self._tags.subtract(each.record_id for each in edit.removed)
        self._tags.update(each.record_id for each in edit.added)
        changed = {each.record_id for each in (*edit.removed, *edit.added)}
        for record_id in changed:
            self._titles.pop(record_id, None)
        return changed

    def _text(self, record_id: str) -> str:
        """The beginning of a record."""
        section = self._view.section(record_id)
        return self._view.text[section.start : min(section.end, section.start + HEAD)]
