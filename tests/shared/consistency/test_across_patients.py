"""What only other patients have as a tag."""

from shared.consistency.across_patients import check_across
from shared.consistency.findings import Finding, FindingKind
from tests.builders import document, layer, tagged_records


def across(*sources: str) -> list[Finding]:
    patients = [
        tagged_records([document(source, f"{number}-01")], [layer(source, f"{number}-01")])
        for number, source in enumerate(sources, start=1)
    ]
    return list(check_across(patients))


def told(*sources: str) -> list[tuple[str, str, float]]:
    return [(each.record_id, each.text, each.certainty) for each in across(*sources)]


def test_a_doctor_of_another_patient() -> None:
    assert told("[Kai Okafor|DOCTOR]", "by Kai Okafor") == [("2-01", "Kai Okafor", 0.85)]


def test_a_single_word_is_surer_when_several_patients_have_it() -> None:
    ((_, _, one),) = told("[Okafor|DOCTOR]", "Okafor")
    ((_, _, two),) = told("[Okafor|DOCTOR]", "[Okafor|DOCTOR]", "Okafor")
    assert one < 0.5 <= two


def test_what_the_patient_has_as_a_tag_itself_is_no_finding_here() -> None:
    assert told("[Okafor|DOCTOR]", "[Okafor|DOCTOR] Okafor") == []


def test_patients_and_dates_are_not_shared() -> None:
    assert told("[Kai Okafor|PATIENT] [May 9, 2007|DATE]", "Kai Okafor May 9, 2007") == []


def test_common_words_are_not_shared() -> None:
    assert told("[Walker|DOCTOR] [Mercy|HOSPITAL]", "Walker Mercy") == []


def test_the_kind_and_where_it_is_tagged() -> None:
    (found,) = across("[Kai Okafor|DOCTOR]", "by Kai Okafor")
    assert found.kind is FindingKind.ACROSS_PATIENTS
    assert [place.record_id for place in found.tagged_at] == ["1-01"]
