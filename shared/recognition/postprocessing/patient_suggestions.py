"""What a pass reads and returns: the suggestions in one patient's records under way."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from shared.language.languages import Language, default_language
from shared.model import PhiType, Schema
from shared.model.phi_traits import EntityKind, PersonRole
from shared.recognition.recognizer import Suggestion


@dataclass(frozen=True, slots=True)
class PatientSuggestions:
    """What was `found` in each of a patient's `texts`, by the recognizer of that name.

    `schema` says what each type is and which type to suggest; `language` what words are.
    """

    texts: tuple[str, ...]
    found: tuple[tuple[Suggestion, ...], ...]
    schema: Schema
    recognizer: str = ""
    language: Language = field(default_factory=default_language)

    def records(self) -> Iterator[tuple[str, tuple[Suggestion, ...]]]:
        """Yield each text with what was found in it."""
        return zip(self.texts, self.found, strict=True)

    def with_found(self, found: Iterable[Iterable[Suggestion]]) -> "PatientSuggestions":
        return replace(self, found=tuple(tuple(each) for each in found))

    def kind(self, one: Suggestion) -> EntityKind:
        return self.schema.traits_of(one.phi_type).kind

    def role(self, one: Suggestion) -> PersonRole | None:
        return self.schema.traits_of(one.phi_type).role

    def is_person(self, one: Suggestion) -> bool:
        return self.kind(one) is EntityKind.PERSON

    def type_of(self, kind: EntityKind, role: PersonRole | None = None) -> PhiType | None:
        """The type to suggest for a kind, and of people for a role; None where there is none."""
        return self.schema.type_for(kind, role)
