"""Fabricated patients: right offsets, the paper's proportions, and what makes real notes hard."""

import re
from collections import Counter, defaultdict
from difflib import SequenceMatcher
from itertools import combinations

import pytest

from shared.model.i2b2_2014 import I2B2_2014
from shared.synthetic import fabricate
from shared.synthetic.pools import pools

PAPER = {
    "DATE": 43.2,
    "DOCTOR": 16.6,
    "HOSPITAL": 8.0,
    "PATIENT": 7.6,
    "AGE": 6.9,
    "MEDICALRECORD": 3.6,
    "CITY": 2.3,
    "PHONE": 1.8,
    "STATE": 1.7,
    "IDNUM": 1.6,
    "PROFESSION": 1.4,
    "USERNAME": 1.2,
    "STREET": 1.2,
    "ZIP": 1.2,
}
"""Table 3 of Stubbs and Uzuner (2015), in percent."""


@pytest.fixture(scope="module", params=["standard", "held-out"])
def corpus(request):
    return list(fabricate(120, seed=7, templates=request.param))


@pytest.fixture(scope="module")
def benchmark_corpus():
    return list(fabricate(296, seed=1, records=1304))


def documents_of(corpus):
    return [document for fabricated in corpus for document in fabricated.patient.documents]


def tagged(corpus):
    """Yield document, tag and key of every tag."""
    for fabricated in corpus:
        for document in fabricated.patient.documents:
            for tag in fabricated.gold[document.record_id].tags:
                yield fabricated, document, tag, (document.record_id, tag.id)


def texts(corpus, name):
    return [
        tag.span.text_in(document.text)
        for _, document, tag, _ in tagged(corpus)
        if tag.phi_type.name == name
    ]


def ratio(first, second):
    return SequenceMatcher(None, first, second).ratio()


def test_the_same_seed_gives_the_same_patients():
    assert list(fabricate(4, seed=3)) == list(fabricate(4, seed=3))


def test_another_seed_gives_others():
    assert [each.patient for each in fabricate(2, 3)] != [each.patient for each in fabricate(2, 4)]


def test_no_two_records_are_alike(corpus):
    all_texts = [document.text for document in documents_of(corpus)]
    assert len(set(all_texts)) == len(all_texts)


def test_no_template_language_is_left_in_the_text(corpus):
    assert not any(re.search("[{}|]", each.text) for each in documents_of(corpus))


def test_records_are_named_after_their_patient(corpus):
    for fabricated in corpus:
        patient = fabricated.patient
        expected = [f"{patient.id}-{number:02}" for number in range(1, len(patient.documents) + 1)]
        assert [document.record_id for document in patient.documents] == expected
        assert list(fabricated.gold) == expected
        assert 2 <= len(expected) <= 5


def test_no_tag_is_empty_at_its_edges_or_overlaps_another(corpus):
    ends = defaultdict(int)
    for _, document, tag, _ in tagged(corpus):
        text = tag.span.text_in(document.text)
        assert text == text.strip()
        assert tag.start >= ends[document.record_id]
        ends[document.record_id] = tag.end


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("AGE", r"\d{1,3}|[a-z]+(-[a-z]+)?( [a-z-]+)?|\d0'?s"),
        ("ZIP", r"\d{5}"),
        ("SSN", r"9\d\d-\d\d-\d{4}"),
        ("USERNAME", r"[a-z]{2,3}\d{1,3}"),
        ("EMAIL", r"[a-z]+@[a-z]+\.example"),
        ("IPADDR", r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+"),
        ("DATE", r"\D*\d[\d/,'a-zA-Z\s.-]*|[A-Z][A-Za-z.']+(\s+[A-Za-z']+)*"),
        ("STATE", r"[A-Z]{2}|[A-Z][a-z]+(\s[A-Z][a-z]+)?"),
    ],
)
def test_the_text_at_the_offsets_looks_like_its_type(corpus, name, pattern):
    assert all(re.fullmatch(pattern, text) for text in texts(corpus, name))


def test_phones_belong_to_nobody(corpus):
    long_ones = [text for text in texts(corpus, "PHONE") if len(text) > 7]
    assert long_ones
    assert all("555" in text for text in long_ones)


def test_every_type_occurs(benchmark_corpus):
    found = {tag.phi_type for _, _, tag, _ in tagged(benchmark_corpus)}
    assert found == {each.phi_type for each in I2B2_2014.types()}


def test_size_and_proportions_are_near_the_paper(benchmark_corpus):
    counts = Counter(tag.phi_type.name for _, _, tag, _ in tagged(benchmark_corpus))
    documents = documents_of(benchmark_corpus)
    assert len(documents) == 1304
    assert counts.total() / 1304 == pytest.approx(22.1, abs=2)
    assert sum(len(each.text.split()) for each in documents) / 1304 == pytest.approx(617, abs=50)
    for name, percent in PAPER.items():
        assert 100 * counts[name] / counts.total() == pytest.approx(percent, rel=0.35), name


def test_the_long_tail_of_types_stays_rare(benchmark_corpus):
    counts = Counter(tag.phi_type.name for _, _, tag, _ in tagged(benchmark_corpus))
    rare = set(counts) - set(PAPER) - {"ORGANIZATION", "COUNTRY"}
    assert sum(counts[name] for name in rare) < 0.03 * counts.total()


@pytest.mark.parametrize(
    "pattern",
    [
        r"2/2",
        r"Huntington's (?:disease|chorea)",
        r"Parkinson's",
        r"Bell's palsy",
        r"Foley",
        r"OSH",
        r"Taxus",
    ],
)
def test_what_looks_like_phi_and_is_none_stands_untagged(benchmark_corpus, pattern):
    found = [
        (document, match)
        for document in documents_of(benchmark_corpus)
        for match in re.finditer(rf"\b{pattern}\b", document.text)
    ]
    spans = defaultdict(list)
    for _, document, tag, _ in tagged(benchmark_corpus):
        spans[document.record_id].append(tag)
    untagged = [
        match
        for document, match in found
        if not any(
            t.start < match.end() and match.start() < t.end for t in spans[document.record_id]
        )
    ]
    assert untagged


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("PATIENT", r"[A-Z'-]+,[A-Z]+"),
        ("PATIENT", r"\S+\n\S+"),
        ("DOCTOR", r"\S+\n\S+"),
        ("DOCTOR", r"[A-Z]{2,3}"),
        ("DOCTOR", r"[a-z]{2,3}"),
        ("DOCTOR", r"[a-z]{5,}"),
        ("DOCTOR", r"(?s).*\b(?:Parkinson|Bell|Graves|Foley|Murphy|Wilson|Crohn|Huntington)"),
        ("PATIENT", r"(?:Will|May|April|Rose|June|Art|Hope|Grace)"),
        ("DATE", r"'\d\d"),
        ("DATE", r"\d/\d\d?"),
        ("DATE", r"(?:[Ss]pring|[Ff]all|[Ww]inter|[Ss]ummer) '\d\d"),
        ("DATE", r"Monday"),
        ("DATE", r"Thanksgiving"),
        ("DATE", r"May \d+(?:st|nd|rd|th)"),
        ("DATE", r"'\d0's"),
        ("AGE", r"[a-z]+-[a-z]+"),
        ("AGE", r"9\d"),
        ("AGE", r"\d0s"),
        ("HOSPITAL", r"[A-Z]{2,5}"),
        ("COUNTRY", r"\w+(?:an|ish|ese)"),
    ],
)
def test_hard_forms_occur(benchmark_corpus, name, pattern):
    assert any(re.fullmatch(pattern, text) for text in texts(benchmark_corpus, name))


def test_dates_are_glued_to_words_now_and_then(benchmark_corpus):
    glued = [
        tag
        for _, document, tag, _ in tagged(benchmark_corpus)
        if tag.phi_type.name == "DATE" and document.text[tag.start - 1 : tag.start].isalpha()
    ]
    assert glued


def test_dates_stand_in_tables(benchmark_corpus):
    rows = re.compile(r"^ {10}\S+ {2,}\S+ *$", re.MULTILINE)
    assert any(rows.search(document.text) for document in documents_of(benchmark_corpus))


def test_possessives_are_left_out(benchmark_corpus):
    followed = [
        document.text[tag.end : tag.end + 2]
        for _, document, tag, _ in tagged(benchmark_corpus)
        if tag.phi_type.category == "NAME"
    ]
    assert "'s" in followed


def test_names_are_misspelt_now_and_then(corpus):
    forms = defaultdict(set)
    for fabricated, document, tag, key in tagged(corpus):
        if key in fabricated.people:
            text = " ".join(tag.span.text_in(document.text).split())
            forms[fabricated.patient.id, fabricated.people[key]].add(text)
    slips = [
        (first, second)
        for each in forms.values()
        for first, second in combinations(sorted(each), 2)
        if first.istitle() and second.istitle() and 0.75 < ratio(first, second) < 1
    ]
    assert slips


def test_lines_are_wrapped_in_some_records_only(corpus):
    longest = [max(map(len, document.text.split("\n"))) for document in documents_of(corpus)]
    assert any(60 < each <= 80 for each in longest)
    assert any(each > 200 for each in longest)


def test_every_name_and_place_has_a_group(corpus):
    for fabricated, _, tag, key in tagged(corpus):
        if tag.phi_type.category == "NAME":
            assert key in fabricated.people
        if tag.phi_type.name in {"HOSPITAL", "CITY", "STATE", "COUNTRY", "STREET", "ZIP"}:
            assert key in fabricated.places


def test_a_record_number_means_one_hospital(corpus):
    for fabricated, document, tag, key in tagged(corpus):
        if tag.phi_type.name == "MEDICALRECORD":
            digits = re.sub(r"\W", "", tag.span.text_in(document.text))
            assert re.sub(r"\W", "", fabricated.numbers[key].removeprefix("number/")) == digits


def test_different_people_of_a_patient_have_different_family_names_or_are_family(corpus):
    for fabricated in corpus:
        families = defaultdict(set)
        for document in fabricated.patient.documents:
            for tag in fabricated.gold[document.record_id].tags:
                person = fabricated.people.get((document.record_id, tag.id), "")
                text = tag.span.text_in(document.text)
                if person.startswith("person/") and text.istitle() and " " not in text:
                    families[text].add(person)
        for people in families.values():
            assert len({each for each in people if "patient" not in each and "rel" not in each}) < 2


def test_all_records_of_a_patient_agree_on_the_day_of_birth(corpus):
    born = defaultdict(set)
    for fabricated, document, tag, key in tagged(corpus):
        if re.search(r"(?:DOB|Birth|born):? $", document.text[: tag.start]):
            born[fabricated.patient.id].add(fabricated.dates[key].first)
    assert len(born) > 20
    assert all(len(days) == 1 for days in born.values())


def test_dates_mean_one_day_where_they_are_written_in_full(corpus):
    full = [days for fabricated in corpus for days in fabricated.dates.values() if days.full]
    assert full
    assert all(days.first == days.last for days in full)


def test_a_table_date_says_the_day_it_means():
    for fabricated, document, tag, key in tagged(fabricate(20, seed=5)):
        days = fabricated.dates.get(key)
        if days and days.form == "iso":
            assert tag.span.text_in(document.text) == days.first.isoformat()


def test_practice_patients_share_no_name_with_the_held_out_ones():
    practice, held_out = pools("practice"), pools("held-out")
    own = {name: set(held_out.words[name]) for name in practice.words if "kinds" not in name}
    assert not any(own[name] & set(practice.words[name]) for name in own)
    assert not set(practice.family.words) & set(held_out.family.words)
    for sex in "MF":
        assert not set(practice.given[sex].words) & set(held_out.given[sex].words)


def test_practice_notes_are_short_and_thick_with_phi():
    def density(templates):
        corpus = list(fabricate(20, seed=3, templates=templates))
        return len(list(tagged(corpus))) / sum(len(each.text) for each in documents_of(corpus))

    assert density("practice") > 2 * density("standard")


def test_held_out_patients_share_no_name_with_the_standard_ones():
    standard, held_out = pools("standard"), pools("held-out")
    assert not set(standard.family.words) & set(held_out.family.words)
    for sex in "MF":
        assert not set(standard.given[sex].words) & set(held_out.given[sex].words)
    for name, words in standard.words.items():
        if not name.endswith("kinds"):
            assert not set(words) & set(held_out.words[name])


def test_held_out_patients_have_other_ids():
    ids = {each.patient.id for each in fabricate(5, 1)}
    assert not ids & {each.patient.id for each in fabricate(5, 1, templates="held-out")}
