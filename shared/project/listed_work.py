"""What of patients nobody has touched, by one look at each folder instead of one for each file."""

from functools import cache

from shared.project.files import names_in
from shared.project.project import Project


class ListedWork:
    """The files that somebody's work on patients has left, as they were when first asked for."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names = cache(self._listed)

    def is_none(self, name: str, patient_id: str) -> bool:
        """Whether there is neither journal, head nor layer; False where that may not be seen."""
        names = self._names(name)
        if names is None:
            return False
        journals, layers = names
        if f"{patient_id}.jsonl" in journals or f"{patient_id}.head" in journals:
            return False
        return not any(f"{each}.xml" in layers for each in self._project.record_ids(patient_id))

    def _listed(self, name: str) -> tuple[frozenset[str], frozenset[str]] | None:
        """What lies in the folders of somebody's journals and layers; None where one is closed."""
        first = self._project.patient_ids[0]
        journals = self._project.journal_path(name, first).parent
        layers = self._project.layer_path(name, first).parent
        try:
            return names_in(journals), names_in(layers)
        except OSError:
            return None
