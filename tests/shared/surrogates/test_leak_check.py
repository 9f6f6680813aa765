"""The leak check finds what is left, and lets pass what is no leak."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from shared.language.languages import language
from shared.model import Document, Layer, Patient, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.leak_check import (
    DIGITS,
    FILE_NAME,
    MISSING,
    PART,
    SPELLING,
    UNCHANGED,
    WHOLE,
    Leak,
    LeakRules,
    find_leaks,
    surrogates_at,
)
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.replacement import replace_patient, replace_without_collisions
from shared.surrogates.surrogate_kinds import SurrogateSettings, kinds_of
from tests.builders import layer, marked_up, phi
from tests.builders import patient as patient_of

SETTINGS = SurrogateSettings(kinds_of(I2B2_2014), language("en"))
ENGLISH = LeakRules(language("en"))
Replaced = Callable[..., SurrogatePatient]


def gold(*sources: str) -> dict[str, Layer]:
    return {f"110-{n:02}": layer(each, f"110-{n:02}") for n, each in enumerate(sources, start=1)}


def with_last_surrogate(new: SurrogatePatient, text: str) -> SurrogatePatient:
    """As `new`, with another text in place of the last surrogate, which ends its record."""
    last = new.replacements[-1]
    (document,) = new.documents
    written = replace(document, text=document.text[: last.span.start] + text)
    last = replace(last, surrogate=text, span=Span(last.span.start, len(written.text)))
    return replace(
        new,
        patient=replace(new.patient, documents=(written,)),
        replacements=(*new.replacements[:-1], last),
    )


Leaks = Callable[..., tuple[Leak, ...]]
NAME = "[Dennis Holcomb|PATIENT] "
LOWELL = "x [Lowell|CITY]"
PATIENT, CITY = phi("PATIENT"), phi("CITY")


@pytest.mark.parametrize(
    ("rest", "what"),
    [
        ("saw HOLCOMB today", PART),
        ("saw Mr. Hólcomb", PART),
        ("dennis said", PART),
        ("saw Mr. Holcob", SPELLING),
        ("saw Mr. Holcombb", SPELLING),
        ("and [Mercy Hospital|HOSPITAL], the MERCY\nHOSPITAL", WHOLE),
        ("and [12345678|MEDICALRECORD], 1234-56 78", DIGITS),
        ("at [617-726-2000|PHONE], (617) 7262000", DIGITS),
        ("on [05/09/2007|DATE], 05-09-2007", WHOLE),
        ("lives in [Lowell|CITY], LOWELL", WHOLE),
        ("at [Will Court|STREET]. Will Court is far", WHOLE),
        ("by [Ann Streett|DOCTOR] at [12 Elm Street|STREET], at Street", SPELLING),
    ],
)
def test_what_is_left_is_found(leaks: Leaks, rest: str, what: str) -> None:
    found = leaks(NAME + rest)
    assert {each.what for each in found} >= {what}


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("[Lena Ferrándiz|PATIENT] vino. La Sra. Ferrán-\n diz salió", "Ferrán-\n diz"),
        ("[Lena Ferrándiz|PATIENT] vino. La Sra. Ferra\u0301ndiz salió", "Ferra\u0301ndiz"),
        ("[Lena Ferrán-\ndiz|PATIENT] vino. La Sra. Ferrándiz salió", "Ferrándiz"),
        ("[Jan Müller|PATIENT] kam. Herr Mül\u00adler ging", "Mül\u00adler"),
        ("[王小明|PATIENT]。次日王小\n明先生于2071年入院", "王小\n明"),
        ("[محمد علي سالم|PATIENT] هنا. خرج سَالِم", "سَالِم"),
        ("[00478213|MEDICALRECORD]，病案号００４７８２１３。", "００４７８２１３"),
        ("[139-5550-1234|PHONE]，电话１３９－５５５０－１２３４", "１３９－５５５０－１２３４"),
        ("[0795550167|PHONE]، هاتف ٠٧٩٥٥٥٠١٦٧", "٠٧٩٥٥٥٠١٦٧"),
        ("[٠٧٩٥٥٥٠١٦٧|PHONE]، هاتف 0795 550 167", "0795 550 167"),
        ("[فاطمة سالم|PATIENT] هنا. خرجت فاطمه", "فاطمه"),
        ("[أحمد سالم|PATIENT] هنا. شرح ولأحمد الخطة", "أحمد"),
        ("[أحمد سالم|PATIENT] هنا. شرح لأَحْمَد الخطة", "أَحْمَد"),
        ("[بلال سالم|PATIENT] هنا. خرج بِلال", "بِلال"),
    ],
)
def test_what_is_left_is_found_however_it_stands(
    leaks: Leaks, replaced: Replaced, source: str, left: str
) -> None:
    text = replaced(source).documents[0].text
    assert left in {each.span.text_in(text) for each in leaks(source) if each.span}


@pytest.mark.parametrize(
    "rest", ["Black, Melanie (90466) for", "Author: MELANIE BLACK", "STORY\nBlack (37yo female)"]
)
def test_a_name_that_is_a_word_is_one_where_only_names_stand(leaks: Leaks, rest: str) -> None:
    """Each was taken for the colour, at the start of a sentence or in capitals."""
    assert PART in {each.what for each in leaks(f"Dr. [Ann Black|DOCTOR].\n{rest}")}


@pytest.mark.parametrize("rest", ["Black, red and dry", "BLACK TARRY STOOL", "Black stool"])
def test_a_word_that_is_a_name_too_stays_a_word(leaks: Leaks, rest: str) -> None:
    assert not leaks(f"Dr. [Ann Black|DOCTOR].\n{rest}")


def test_a_leak_tells_where_it_is_but_not_what(leaks: Leaks, replaced: Replaced) -> None:
    source = NAME + "saw Holcomb"
    leak = leaks(source)[0]
    text = replaced(source).documents[0].text
    assert leak.span is not None
    assert leak.span.text_in(text) == "Holcomb"
    assert "Holcomb" not in repr(leak)


@pytest.mark.parametrize(
    "source",
    [
        "[Will Bell|DOCTOR] will come. Will follow up.",
        "[Will Bell|DOCTOR] will come. WILL CALL.",
        "[Ann Bell|PATIENT] has a Bell palsy; [Ann Bell|PATIENT] a Bell palsy.",
        "[Ann Bell|DOCTOR]: Bell's palsy and a Bell palsy.",
        "[Ann Foley|PATIENT] has a Foley catheter; the Foley was removed.",
        "[Ann Parkinson|DOCTOR]: Parkinson's follow-up",
        "[Ann Lee|DOCTOR] is [53|AGE], 53 mg; [retired nurse|PROFESSION]",
        "[August Cole|DOCTOR] on [August 5, 2004|DATE]",
        "[Dennis Holcomb|PATIENT], [Holcomb|PATIENT]'s wife",
        "[Will|CITY]. Will follow up",
        "[Dr. Holcomb|DOCTOR] and Rolcomb",
        "[12 Elm Street|STREET]: [Ann Streett|DOCTOR]",
        "[Ann Streett|DOCTOR], [12 Elm Street|STREET], [Lowell|CITY], [9 Elm Street|STREET]",
    ],
)
def test_what_is_no_leak(leaks: Leaks, source: str) -> None:
    assert leaks(source, ordinary=frozenset({"will"})) == ()


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("[dennis holcomb|PATIENT] slept well, says holcob", {SPELLING}),
        ("[Dennis Holcomb|PATIENT] slept Well, says holcob", set[str]()),
        ("[Dennis Holcombe|PATIENT] slept Well, says holcmbe", {SPELLING}),
        ("[Dennis Diabets|PATIENT] slept Well, has diabetes", set[str]()),
        ("[dennis holcomb|PATIENT] slept well, says holly", set[str]()),
    ],
)
def test_a_slip_in_small_letters(leaks: Leaks, source: str, what: set[str]) -> None:
    assert {each.what for each in leaks(source)} == what


@pytest.mark.parametrize(
    ("just_enough", "too_little"),
    [
        # digits of a number, and a number as a whole
        ("[123456|MEDICALRECORD], 12-34-56", "[12345|MEDICALRECORD], 12-3-45"),
        ("[A123|IDNUM], A123", "[A12|IDNUM], A12"),
        ("[1234|IDNUM], x 1234", "[123|IDNUM], x 123"),
        ("[12345-6789|PHONE], 6789", "[12345-6789|PHONE], 5678"),
        ("[3 May 2071|DATE], 2071", "[3 May 2071|DATE], 2072"),
        ("[123456|IDNUM], 00123456", "[12345|IDNUM], 0012345"),
        ("[123456|IDNUM], 123--456", "[123456|IDNUM], 123---456"),
        # letters of a phrase, of a part of a name
        ("in [Lynn|CITY], LYNN", "in [Rye|CITY], RYE"),
        ("[Ann Voss|DOCTOR]; ANN", "[Al Voss|DOCTOR]; AL"),
        # letters of a name that may be misspelt, by how
        ("[Voigt|DOCTOR]; Dr. Voiggt", "[Voss|DOCTOR]; Dr. Vosss"),
        ("[Holcomb|DOCTOR]; Dr. Holcomd", "[Holcom|DOCTOR]; Dr. Holcod"),
        ("[Voigts|DOCTOR]; Dr. Voigt", "[Voigt|DOCTOR]; Dr. Voig"),
    ],
)
def test_where_a_leak_begins(leaks: Leaks, just_enough: str, too_little: str) -> None:
    assert leaks(just_enough)
    assert leaks(too_little) == ()


def test_six_digits_of_a_number_in_a_file_name_are_a_leak(replaced: Replaced) -> None:
    def leaks_in(number: str) -> set[str]:
        new = replaced(f"[{number}|MEDICALRECORD]")
        named = Document(f"{number}-01", number, new.documents[0].text)
        layers = {named.record_id: new.layers["110-01"]}
        found = find_leaks(
            replace(new, patient=Patient(number, (named,)), layers=layers), {}, ENGLISH
        )
        return {each.what for each in found}

    assert FILE_NAME in leaks_in("881234")
    assert FILE_NAME not in leaks_in("88123")


def test_a_surrogate_that_is_the_original(replaced: Replaced) -> None:
    new = replaced(NAME)
    same = replace(new.replacements[0], surrogate="DENNIS  HOLCOMB")
    found = find_leaks(replace(new, replacements=(same,)), gold(NAME), ENGLISH)
    assert UNCHANGED in {each.what for each in found}


def test_a_tag_without_a_surrogate(replaced: Replaced) -> None:
    new = replace(replaced(NAME), replacements=())
    found = find_leaks(new, gold(NAME), ENGLISH)
    assert [(each.what, each.span) for each in found] == [(MISSING, None)]


def test_a_place_that_a_person_cleared(leaks: Leaks) -> None:
    source = "[Ann Azua|DOCTOR] by the scale of Azua"
    text, _ = marked_up(source)
    start = text.rindex("Azua")
    assert leaks(source)
    assert not leaks(source, cleared=frozenset({("110-01", Span(start, start + 4))}))
    assert leaks(source, cleared=frozenset({("110-01", Span(start, start + 3))}))


def test_a_file_name_that_tells(replaced: Replaced) -> None:
    source = "[8812345|MEDICALRECORD]"
    new = replaced(source)
    named = replace(
        new,
        patient=Patient("8812345", (Document("8812345-01", "8812345", new.documents[0].text),)),
        layers={"8812345-01": new.layers["110-01"]},
    )
    assert FILE_NAME in {each.what for each in find_leaks(named, {}, ENGLISH)}
    assert FILE_NAME not in {
        each.what for each in find_leaks(named, {}, LeakRules(language("en"), new_names=True))
    }


def test_tags_within_another_are_no_leak() -> None:
    patient = patient_of("Dennis Holcomb Hospital")
    tags = (
        *layer("[Dennis Holcomb Hospital|HOSPITAL]").tags,
        *layer("[Dennis Holcomb|PATIENT]").tags,
    )
    both = {"110-01": Layer.of("110-01", "gold", (replace(each, id="") for each in tags))}
    new = replace_patient(patient, both, SETTINGS, Random(1))
    assert [tag.phi_type.name for _, tag in new.dropped] == ["PATIENT"]
    assert find_leaks(new, both, ENGLISH) == ()


def test_surrogates_are_drawn_again_where_one_is_authentic_by_chance() -> None:
    source = "[Virginia|STATE] and [Salem|CITY]"
    patient = patient_of(source)

    def leaks_with(seed: int) -> bool:
        return bool(find_leaks(replace_patient(patient, gold(source), SETTINGS, Random(seed)),
                               gold(source), ENGLISH))  # fmt: skip

    unlucky = next(seed for seed in range(2000) if leaks_with(seed))
    new, leaks = replace_without_collisions(
        patient, gold(source), SETTINGS, ENGLISH, lambda draw: Random(unlucky + draw)
    )
    assert leaks == ()
    assert "irginia" not in new.documents[0].text


def test_for_a_very_large_patient_there_are_fewer_draws_and_its_leaks_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = "[Virginia|STATE] and [Salem|CITY]"
    patient, drawn = patient_of(source), list[int]()
    unlucky = next(
        seed
        for seed in range(2000)
        if find_leaks(replace_patient(patient, gold(source), SETTINGS, Random(seed)),
                      gold(source), ENGLISH)
    )  # fmt: skip

    def randomness(draw: int) -> Random:
        drawn.append(draw)
        return Random(unlucky)

    for most, draws in ((8_000_000, 8), (3 * len(patient.documents[0].text), 3), (1, 1)):
        drawn.clear()
        monkeypatch.setattr("shared.surrogates.replacement.LETTERS_DRAWN", most)
        _, leaks = replace_without_collisions(patient, gold(source), SETTINGS, ENGLISH, randomness)
        assert drawn == list(range(draws))
        assert leaks


@pytest.mark.parametrize(
    "source",
    [
        "[王小明|PATIENT]。次日王小明先生于2071年入院",
        "[王小明|PATIENT]。家属称小明已服药",
        "[山田太郎|PATIENT]さん。担当医は山田太郎氏に説明した",
        "[สมชาย ใจดี|PATIENT] ผู้ป่วยสมชายใจดีมาพบแพทย์",
        "[สมชาย ใจดี|PATIENT] วันนี้สมชายกลับบ้าน",
    ],
)
def test_a_name_is_found_amid_text_without_blanks(leaks: Leaks, source: str) -> None:
    found = leaks(source)
    assert {each.what for each in found} == {WHOLE}
    assert len({each.span for each in found}) == len(found)


def test_a_leak_has_its_place_in_the_new_and_in_the_old_record(replaced: Replaced) -> None:
    source = "On [May 9, 2004|DATE], [Dennis Holcomb|PATIENT] came. HOLCOMB left"
    old_text, _ = marked_up(source)
    new = replaced(source)
    (leak,) = find_leaks(new, gold(source), ENGLISH)
    start, old_start = new.documents[0].text.index("HOLCOMB"), old_text.index("HOLCOMB")
    assert leak == Leak(
        "110", "110-01", Span(start, start + 7), PART, PATIENT, Span(old_start, old_start + 7)
    )


def test_a_leak_within_a_surrogate_has_no_place_in_the_old_record(replaced: Replaced) -> None:
    source = "[Lowell|CITY], [Mercy Hospital|HOSPITAL]; [Rockport|CITY]"
    with_leak = with_last_surrogate(replaced(source), "Lowell")
    last = with_leak.replacements[-1]
    (leak,) = find_leaks(with_leak, gold(source), ENGLISH)
    assert leak == Leak("110", "110-01", last.span, WHOLE, CITY, None)
    assert leak.in_surrogate
    assert surrogates_at(with_leak, leak) == [last]
    assert surrogates_at(with_leak, replace(leak, record_id="110-02")) == []
    beside = Span(last.span.end, last.span.end + 1)
    assert surrogates_at(with_leak, replace(leak, span=beside)) == []
    assert surrogates_at(with_leak, replace(leak, span=None)) == []


def test_what_has_no_surrogate_or_is_its_own_is_told_with_record_and_type(
    replaced: Replaced,
) -> None:
    new = replaced(NAME, "x [Lowell|CITY]")
    (missing,) = find_leaks(
        replace(new, replacements=new.replacements[:1]), gold(NAME, LOWELL), ENGLISH
    )
    assert missing == Leak("110", "110-02", None, MISSING, CITY)
    placeholder = replace(new.replacements[0], original="[PATIENT]", surrogate="[PATIENT]")
    same = replace(new.replacements[1], surrogate="LOWELL")
    found = find_leaks(replace(new, replacements=(placeholder, same)), gold(NAME, LOWELL), ENGLISH)
    assert found == (Leak("110", "110-02", same.span, UNCHANGED, CITY),)


@pytest.mark.parametrize(
    ("original", "kept"),
    [("Friday", True), ("MWF", True), ("Friday, May 9", False), ("May", False), ("next", False)],
)
def test_only_days_of_the_week_may_be_kept(replaced: Replaced, original: str, kept: bool) -> None:
    source = f"on [{original}|DATE]"
    new = replaced(source)
    same = replace(new, replacements=(replace(new.replacements[0], surrogate=original),))
    what = {
        each.what for each in find_leaks(same, gold(source), replace(ENGLISH, keep_weekdays=True))
    }
    assert (UNCHANGED not in what) is kept
    assert UNCHANGED in {each.what for each in find_leaks(same, gold(source), ENGLISH)}


def test_a_file_name_is_told_with_record_and_type(replaced: Replaced) -> None:
    new = replaced("[8812345|MEDICALRECORD]")
    named = Document("88-12345-01", "88", new.documents[0].text)
    layers = {named.record_id: new.layers["110-01"]}
    renamed = replace(new, patient=Patient("88", (named,)), layers=layers)
    (leak,) = find_leaks(renamed, {}, ENGLISH)
    assert leak == Leak("88", "88-12345-01", None, FILE_NAME, phi("MEDICALRECORD"))


def test_a_date_hides_the_name_of_a_month_and_no_other_place_does(leaks: Leaks) -> None:
    assert leaks("[August Cole|DOCTOR] on [August 5, 2004|DATE]; saw August") != ()
    assert leaks("saw August; [August Cole|DOCTOR] on [August 5, 2004|DATE]") != ()
    found = leaks("on [August 5, 2004|DATE], [August Cole|DOCTOR]", "saw August")
    assert {each.record_id for each in found} == {"110-02"}


def test_a_city_may_be_called_as_the_month_of_a_surrogate_date(replaced: Replaced) -> None:
    source = "[August|CITY] on [May 5, 2004|DATE]"
    assert (
        find_leaks(with_last_surrogate(replaced(source), "August 9, 2061"), gold(source), ENGLISH)
        == ()
    )


def test_a_name_that_is_a_word_is_one_within_a_surrogate(replaced: Replaced) -> None:
    source = "[Will Bell|PATIENT]. [Lowell|CITY]"
    (leak,) = find_leaks(with_last_surrogate(replaced(source), "Will"), gold(source), ENGLISH)
    assert (leak.what, leak.in_surrogate) == (PART, True)


def test_a_number_that_goes_on_from_a_surrogate_is_told_at_its_own_place(leaks: Leaks) -> None:
    (leak,) = leaks("[8812345|MEDICALRECORD], room [4|ROOM] 88-12345")
    assert (leak.what, leak.old) == (DIGITS, Span(16, 24))


def test_what_may_stay_may_be_its_own_surrogate(replaced: Replaced) -> None:
    source = "from [USA|COUNTRY]"
    same = with_last_surrogate(replaced(source), "USA")
    assert find_leaks(same, gold(source), ENGLISH) == ()
