"""What a tag leaves beside it of what it marks, and what stands beside a tag by right."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.consistency.check import check_patient
from shared.consistency.findings import FindingKind
from shared.consistency.patient_records import PatientRecords
from shared.language.languages import language
from shared.model import Layer, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.leak_check import LeakRules
from shared.surrogates.mentions import mentions_of
from shared.surrogates.remainders import (
    REST_OF_ADDRESS,
    REST_OF_DATE,
    REST_OF_NAME,
    REST_OF_NUMBER,
    REST_OF_TAG,
    REST_OF_WORD,
    find_remainders,
)
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import SurrogateSettings, kinds_of
from tests.builders import document, layer, patient, phi

KINDS = kinds_of(I2B2_2014)


def left(source: str, spoken: str = "en", ordinary: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """What is left of the tags of a record, with the text."""
    one, gold = patient(source), {"110-01": layer(source)}
    own = language(spoken)
    new = replace_patient(one, gold, SurrogateSettings(KINDS, own), Random(1))
    found = find_remainders(one, new, LeakRules(own, frozenset(ordinary)))
    text = one.documents[0].text
    return [(each.what, each.old.text_in(text)) for each in found]


@pytest.mark.parametrize(
    ("source", "what", "rest"),
    [
        ("born [08/14|DATE]/1950", REST_OF_DATE, "1950"),
        ("born 08/[14/1950|DATE]", REST_OF_DATE, "08"),
        ("since [March 3|DATE], 1997", REST_OF_DATE, "1997"),
        ("since March [3, 1997|DATE]", REST_OF_DATE, "March"),
        ("since [March|DATE] 3", REST_OF_DATE, "3"),
        ("in December of [1998|DATE]", REST_OF_DATE, "December"),
        ("on [2071-03|DATE]-14", REST_OF_DATE, "14"),
        ("on May\n[3, 2071|DATE]", REST_OF_DATE, "May"),
        ("Dr. [Teasd|DOCTOR]ale", REST_OF_WORD, "ale"),
        ("Dr. T[easdale|DOCTOR]", REST_OF_WORD, "T"),
        ("MRN [12345|MEDICALRECORD]67", REST_OF_WORD, "67"),
        ("Tel. +49 (0) [1763 506426|PHONE]", REST_OF_NUMBER, "+49 (0)"),
        ("Tel. +49(0)[1763 506426|PHONE]", REST_OF_NUMBER, "+49(0)"),
        ("Fax ([03975|FAX]) 042139", REST_OF_NUMBER, "042139"),
        ("Tel. [328-555-1460|PHONE] ext. 9139", REST_OF_NUMBER, "9139"),
        ("page [97442|PHONE] (x 7886)", REST_OF_NUMBER, "7886"),
        ("[jdoe|EMAIL]@rosehill.example", REST_OF_ADDRESS, "rosehill.example"),
        ("[jdoe@|EMAIL]rosehill.example", REST_OF_ADDRESS, "rosehill.example"),
        ("to j.doe@[rosehill.example|EMAIL]", REST_OF_ADDRESS, "j.doe"),
        ("on Friday, [9/4/2071|DATE]", REST_OF_DATE, "Friday"),
        ("on Friday [9/4/2071|DATE]", REST_OF_DATE, "Friday"),
        ("Record no.. L8\n[99577|MEDICALRECORD]", REST_OF_NUMBER, "L8"),
        ("Dr. [Teas|DOCTOR]-\ndale", REST_OF_WORD, "dale"),
        ("Dr. Ander-\n[son|DOCTOR]", REST_OF_WORD, "Ander"),
        ("Dr. [Teas|DOCTOR]\u00addale", REST_OF_WORD, "dale"),
        ("Dr. Jones-[Smith|DOCTOR]", REST_OF_WORD, "Jones"),
        ("call [555|PHONE]-0134", REST_OF_NUMBER, "0134"),
        ("call (413) [555-0134|PHONE]", REST_OF_NUMBER, "(413)"),
        ("call 413.[555.0134|PHONE]", REST_OF_NUMBER, "413"),
        ("case T55-[6897|IDNUM]", REST_OF_NUMBER, "T55"),
        ("sample [8845|IDNUM]\n4361 sent", REST_OF_NUMBER, "4361"),
        ("NASS [71 33043712|IDNUM] 35.\nDomicilio", REST_OF_NUMBER, "35"),
        ("Tel: [01671 582|PHONE]\n027.\n\nGrüße", REST_OF_NUMBER, "027"),
        ("at 854 [Willow Place|STREET]", REST_OF_ADDRESS, "854"),
        ("in [Calle Nogal|STREET], 12.\nTel", REST_OF_ADDRESS, "12"),
        ("seen by Chandran [Powell|DOCTOR]", REST_OF_NAME, "Chandran"),
        ("seen by [Chandran|DOCTOR] Powell today", REST_OF_NAME, "Powell"),
        ("CC: MARK [WILSON|DOCTOR]", REST_OF_NAME, "MARK"),
        ("seen by [Ann|DOCTOR]\nPowell", REST_OF_NAME, "Powell"),
        ("/s/ Cody R. [Salandra|DOCTOR]", REST_OF_NAME, "Cody"),
        ("seen by Roberts, [Gianluigi|DOCTOR]", REST_OF_NAME, "Roberts"),
        ("Ordering: [GALUPPI,AUSTIN|DOCTOR] R. EXAM", REST_OF_NAME, "R."),
        ("seen by R. [Galuppi|DOCTOR] today", REST_OF_NAME, "R."),
        ("with Dr. [Luisa|DOCTOR] Potvin: no objection", REST_OF_NAME, "Potvin"),
        ("record [U1|MEDICALRECORD]\n30896, age 78", REST_OF_NUMBER, "30896"),
    ],
)
def test_the_rest_of_what_is_tagged_is_left(source: str, what: str, rest: str) -> None:
    assert (what, rest) in left(source)


@pytest.mark.parametrize(
    ("source", "spoken"),
    [
        ("geboren am [3. März|DATE] 1971", "de"),
        ("Frau [Müll|PATIENT]-\ner kam", "de"),
        ("nacida el [3 de mayo|DATE] de 1971", "es"),
        ("la Sra. [Ferrán|PATIENT]-\ndiz acude", "es"),
    ],
)
def test_it_is_left_in_other_languages(source: str, spoken: str) -> None:
    assert left(source, spoken)


@pytest.mark.parametrize(
    "source",
    [
        "Dr. [Powell|DOCTOR] and Mrs. [Ann Lee|PATIENT], MD",
        "Dr [Powell|DOCTOR] Hospital",
        "[Powell|DOCTOR] M.D. for P. falciparum",
        "[Powell|DOCTOR]'s note of [03/14/2071|DATE], 12 mg twice",
        "on [May 3|DATE] 12 tablets, since[May|DATE] again",
        "[May 3, 2071|DATE]. 4 tablets of 500 mg",
        "a Boston-based firm, [Boston|CITY]-based",
        "level T8 [99577|MEDICALRECORD]",
        "MRN: [1234567|MEDICALRECORD]\n2. Asthma",
        "Tel: [01671 582 027|PHONE]\n12. Asthma",
        "tel. [413-555-0134|PHONE] x3 today, 5 mg",
        "area 0.8 cm2 in [May 2071|DATE]",
        "pH 7.2 in [January|DATE]. She left",
        "again in [March|DATE].\n2. The weight loss",
        "[J. Barrett|DOCTOR]\np[79194|PHONE]",
        "at [12 Willow Place|STREET], 3 rooms",
        "aged [46|AGE]-year-old, [46|AGE]yo",
        "Helper: [D. Swan|DOCTOR]\nLaparoscopic cholecystectomy",
        "Call us.\n\nCordially,\n\n[Jemma|DOCTOR]",
    ],
)
def test_what_stands_beside_a_tag_by_right_is_no_remainder(source: str) -> None:
    assert left(source, ordinary=("hospital",)) == []


@pytest.mark.parametrize(
    ("source", "spoken"),
    [
        ("Mit freundlichen Grüßen\n\n[Rita Weiß|DOCTOR]", "de"),
        ("Herzliche Grüße\n[Rita Weiß|DOCTOR]", "de"),
        ("MIT FREUNDLICHEN GRÜSSEN\n[RITA WEISS|DOCTOR]", "de"),
        ("Un cordial saludo,\n[Rita Bello|DOCTOR]", "es"),
        ("Atentamente\n[Rita Bello|DOCTOR]", "es"),
        ("Sincerely,\n\n[Rita Bellow|DOCTOR]", "en"),
        ("Kind Regards\n[Rita Bellow|DOCTOR]", "en"),
    ],
)
def test_the_close_of_a_letter_is_no_part_of_the_name(source: str, spoken: str) -> None:
    assert left(source, spoken) == []


def test_an_abbreviated_title_is_no_initial() -> None:
    assert left("Remitido por: D. [Juan Ferrer|DOCTOR]", "es") == []


@pytest.mark.parametrize("title", ["د. ", "د.", "أ.د. ", "أ. د. ", "الدكتورة ", "السيد "])
def test_an_arabic_title_is_no_initial(title: str) -> None:
    assert left(f"راجع {title}[أحمد سالم|DOCTOR] اليوم", "und") == []


@pytest.mark.parametrize(
    "source",
    [
        "Remitido por: [Elena Mencía|DOCTOR] Correos electrónicos: x",
        "Dr. [Juan Delgado|DOCTOR] Jefe de la Unidad",
        "[Ana Gil|DOCTOR] Supervisora de planta",
        "Médico: [Gastón Demaría|DOCTOR]NºCol: 28",
        "Dr. [Ignacio Sarra|DOCTOR]Correo electrónico: x",
        "[Ana Gil|DOCTOR] Dirección: calle",
        "[Ana Gil|DOCTOR] Provincia: Soria",
    ],
)
def test_a_spanish_label_behind_a_name_is_no_remainder(source: str) -> None:
    assert left(source, "es") == []


@pytest.mark.parametrize(
    ("source", "rest"),
    [
        ("Dr. [Ignacio Sarra|DOCTOR]Gómez vino", "Gómez"),
        ("[Ana|DOCTOR] Vidal Gil vino", "Vidal"),
        ("CorreoGó[mez|DOCTOR] vino", "CorreoGó"),
    ],
)
def test_a_name_in_place_of_a_label_is_still_one(source: str, rest: str) -> None:
    assert rest in [text for _, text in left(source, "es")]


def test_an_arabic_initial_is_the_rest_of_a_name() -> None:
    assert left("راجع ر. [أحمد سالم|DOCTOR] اليوم", "und") == [(REST_OF_NAME, "ر.")]


def test_in_chinese_no_word_goes_on() -> None:
    assert left("患者[王小明|PATIENT]先生于[2071年|DATE]入院", "und") == []


def test_what_a_person_cleared_is_none() -> None:
    source = "born [08/14|DATE]/1950"
    one, own = patient(source), language("en")
    new = replace_patient(one, {"110-01": layer(source)}, SurrogateSettings(KINDS, own), Random(1))
    cleared = frozenset({("110-01", Span(11, 15))})
    assert find_remainders(one, new, LeakRules(own))
    assert find_remainders(one, new, LeakRules(own, cleared=cleared)) == ()


def test_a_tag_that_reaches_out_of_the_longer_one_leaves_its_rest() -> None:
    text = "seen by Ann Powell in Boston"
    tags = [Tag(Span(0, 11), phi("HOSPITAL")), Tag(Span(8, 18), phi("DOCTOR"))]
    one, own = patient(text), language("en")
    gold = {"110-01": Layer.of("110-01", "gold", tags)}
    new = replace_patient(one, gold, SurrogateSettings(KINDS, own), Random(1))
    found = find_remainders(one, new, LeakRules(own))
    assert (REST_OF_TAG, "Powell") in [(each.what, each.old.text_in(text)) for each in found]


def test_a_word_between_a_label_and_a_name_is_of_the_name() -> None:
    assert left("Apellidos: Diez [Navarro|PATIENT].", "es") == [(REST_OF_NAME, "Diez")]
    assert left("Plan: Diez días con [Navarro|PATIENT].", "es") == []


def test_a_name_that_is_a_word_is_the_rest_of_one_where_the_patient_has_it() -> None:
    beside = "Barber, [Chad|DOCTOR] for [Bisson|DOCTOR]"
    assert left(beside, ordinary=("barber",)) == []
    told = f"told by dr. [Barber|DOCTOR].\n\n{beside}"
    assert left(told, ordinary=("barber",)) == [(REST_OF_NAME, "Barber")]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 24), st.integers(1, 9), st.sampled_from(("DOCTOR", "CITY", "HOSPITAL"))
        ),
        max_size=6,
        unique=True,
    )
)
def test_every_tag_that_a_release_leaves_out_is_a_finding(
    places: list[tuple[int, int, str]],
) -> None:
    """No release leaves a tag out that the check did not show."""
    text = "abcdefgh ijklmn opqrstu vwxyz 12345"
    tags = [Tag(Span(start, start + length), phi(name)) for start, length, name in places]
    gold = {"110-01": Layer.of("110-01", "gold", tags)}
    _, dropped = mentions_of(patient(text), gold, KINDS)
    found = check_patient(
        PatientRecords([document(text)], gold.values(), I2B2_2014), {FindingKind.OVERLAP}
    )
    for _, tag in dropped:
        assert any(each.span.overlaps(tag.span) for each in found)


@pytest.mark.parametrize(
    ("source", "rest"),
    [
        ("[BRIAN|DOCTOR] WEST 4/24", ["WEST"]),
        ("[Brian|DOCTOR] West", ["West"]),
        ("As ever,\n\n[Brian|DOCTOR]\nDay\n\nRes", ["Day"]),
        ("As ever, [Brian|DOCTOR]\nDay\n", ["Day"]),
        ("filed / [Brian|DOCTOR]\nWest\nread", ["West"]),
        ("As ever,\n[Brian|DOCTOR]\nDay one of", []),
        ("Romberg, [Brian|DOCTOR] (19181)", ["Romberg"]),
        ("[Brian|DOCTOR] Romberg", ["Romberg"]),
        ("Romberg negative. [Brian|DOCTOR]", []),
        ("[Brian|DOCTOR] May 4", []),
        ("[Brian|DOCTOR] MD", []),
        ("[Okafor|DOCTOR] West", []),
    ],
)
def test_behind_a_given_name_a_family_name_is_told_though_it_is_a_word(
    source: str, rest: list[str]
) -> None:
    assert left(source, ordinary=("west", "romberg")) == [(REST_OF_NAME, each) for each in rest]


@pytest.mark.parametrize(
    ("source", "rest"),
    [
        ("Dra. [Eva Gárate|DOCTOR] Serviicio de Urología", []),
        ("Dr. [Luis Zarzal|DOCTOR] Departament de Urología", []),
        ("Dra. [Eva Gárate|DOCTOR] Servin de Urología", [(REST_OF_NAME, "Servin")]),
        ("Dr. [Luis|DOCTOR] Departani", [(REST_OF_NAME, "Departani")]),
        ("Apellidos: [Rivera|PATIENT] Bueno.\nNHC", [(REST_OF_NAME, "Bueno")]),
        ("Apellidos: [Otero|PATIENT] Lago\nNHC", [(REST_OF_NAME, "Lago")]),
        ("Dr. [Rivera|DOCTOR] Campos visuales normales", []),
        ("Apellidos: [Navalón|PATIENT] Bueno.", [(REST_OF_NAME, "Bueno")]),
    ],
)
def test_which_words_behind_a_name_are_part_of_it(source: str, rest: list[tuple[str, str]]) -> None:
    assert left(source, "es") == rest


@pytest.mark.parametrize(
    ("source", "rest"),
    [
        ("480 [Market Street, Apt. 4|STREET], Galveston", ["480"]),
        ("to 368 [Railroad Avenue #7|STREET], Provo", ["368"]),
        ("[480 Market Street, Apt. 4|STREET], Galveston", []),
        ("3 nights at 12 [42nd Street|STREET]", []),
    ],
)
def test_the_number_of_a_house_is_told_beside_a_street_with_a_unit(
    source: str, rest: list[str]
) -> None:
    assert [each for _, each in left(source)] == rest


@pytest.mark.parametrize(
    ("source", "rest"),
    [
        ("seen by [jos\u00e9 emilio|DOCTOR] pham, who will call", ["pham"]),
        ("seen by [okafor|DOCTOR] today", []),
        ("S/o to Singleton. JC [Mazarez|DOCTOR], intern", ["JC"]),
        ("S/o to Singleton. RN [Mazarez|DOCTOR] aware", []),
        ("CALL TO JC [MAZAREZ|DOCTOR], INTERN", ["JC"]),
        ("GIVEN BY [MAZAREZ|DOCTOR], INTERN", []),
        ("sats 92% on 2 L. [Mazarez|DOCTOR] aware", []),
    ],
)
def test_names_in_small_letters_and_two_initials_without_stops(
    source: str, rest: list[str]
) -> None:
    assert [each for _, each in left(source, ordinary=("who", "will", "today"))] == rest


@pytest.mark.parametrize(
    ("source", "rest"),
    [
        ("Telefon [+49 4729 95|PHONE]\n6910, Fax", ["6910"]),
        ("Telefon [+49 4729 95|PHONE] 6910, Fax", ["6910"]),
        ("Telefon [+49 4729 95|PHONE]\n6910,5 ml", []),
    ],
)
def test_a_telephone_goes_on_before_a_comma(source: str, rest: list[str]) -> None:
    assert [each for _, each in left(source, "de")] == rest


@pytest.mark.parametrize(
    ("source", "rest", "spoken"),
    [
        ("vive en 28 [Calle Mayor, puerta 4|STREET], Soria", ["28"], "es"),
        ("visto por [josé emilio|DOCTOR] quiroga, que llama", ["quiroga"], "es"),
        ("gesehen von [jan|DOCTOR] kremer, der anruft", ["kremer"], "de"),
        ("Gez. [Jan|DOCTOR]\nKlein\ngelesen", ["Klein"], "de"),
        ("Avisado JC [Quiroga|DOCTOR], residente", ["JC"], "es"),
    ],
)
def test_what_goes_on_in_other_languages(source: str, rest: list[str], spoken: str) -> None:
    assert [each for _, each in left(source, spoken)] == rest
