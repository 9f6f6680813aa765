"""Names: the same person the same surrogate in every form."""

from collections.abc import Sequence
from random import Random
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.languages import language
from shared.language.name_lists import name_lists
from shared.model import PhiType, Span, Tag
from shared.surrogates.drawing import RecordWords
from shared.surrogates.mentions import PhiMention
from shared.surrogates.people.name_plan import draw_initials, nicknames_of
from shared.surrogates.people.name_words import read_names
from shared.surrogates.people.name_writer import NO_FITTING_NAME, NOT_A_NAME, NameWriter
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.text.spelling import match_key, typo_between

Named = tuple[str, str] | str


def namer(
    names: Sequence[Named], seed: int = 1, spoken: str = "en", avoid: Sequence[str] = ()
) -> NameWriter:
    """A namer of names, each alone or with the text before it."""
    tag = Tag(Span(0, 1), PhiType("NAME", "PATIENT"))
    pairs = [("", each) if isinstance(each, str) else each for each in names]
    found = [
        PhiMention(number, "110-01", tag, SurrogateKind.PERSON, text, before)
        for number, (before, text) in enumerate(pairs)
    ]
    read = read_names(found, name_lists(language(spoken)))
    return NameWriter(read, language(spoken), RecordWords(avoid), Random(seed))


def named(*names: Named, seed: int = 1, spoken: str = "en") -> list[str]:
    found = namer(names, seed, spoken).surrogates()
    return [found[number].text for number in range(len(names))]


SEEDS = pytest.mark.parametrize("seed", range(5))


@SEEDS
def test_every_form_of_a_name(seed: int) -> None:
    full, commas, initial, title, given, upper, possessive, letters = named(
        "Angie Ferrero",
        "FERRERO,ANGIE",
        "A. Ferrero",
        ("Mrs ", "Ferrero"),
        "Angie",
        "ANGIE FERRERO",
        "Ferrero's",
        "AF",
        seed=seed,
    )
    first, last = full.split()
    assert commas == f"{last},{first}".upper()
    assert initial == f"{first[0]}. {last}"
    assert title == last
    assert given == first
    assert upper == full.upper()
    assert possessive == f"{last}'s"
    assert letters == first[0] + last[0]


@SEEDS
def test_hyphens_and_particles(seed: int) -> None:
    hyphen, half, particle, base = named(
        "Mary Smith-Jones", "Jones", "Jan van der Berg", "Berg", seed=seed
    )
    assert hyphen.endswith(f"-{half}")
    assert particle.split()[1:] == ["van", "der", base]


@SEEDS
def test_a_compound_given_name_becomes_one_given_name(seed: int) -> None:
    full, commas, short, called, upper = named(
        "María del Pilar Gómez López",
        "Gómez López, María del Pilar",
        "M.ª del Pilar Gómez",
        "Pilar",
        "MARÍA DEL PILAR GÓMEZ",
        seed=seed,
        spoken="es",
    )
    given, first, second = full.split()
    assert commas == f"{first} {second}, {given}"
    assert match_key(short) == match_key(f"{given} {first}")
    assert match_key(called) == match_key(given)
    assert match_key(upper) == match_key(f"{given} {first}")


def test_a_compound_given_name_has_the_sex_of_its_first() -> None:
    women = {
        match_key(each)
        for names in name_lists(language("es")).women.common.values()
        for each in names
    }
    for seed in range(5):
        found = named("María de Jesús Ruiz Gil", "Begoña Sanz Pla", seed=seed, spoken="es")
        assert match_key(found[0].split()[0]) in women


@SEEDS
def test_degrees_and_titles_stay(seed: int) -> None:
    found = named("Dr. Kathleen Ireland, M.D.", seed=seed)[0]
    assert found.startswith("Dr. ")
    assert found.endswith(", M.D.")
    assert "Ireland" not in found


@SEEDS
def test_the_sex_of_a_given_name_is_kept(seed: int) -> None:
    sexes = name_lists(language("en")).given_sexes
    woman, man = named("Marissa Cole", "Dennis Holcomb", seed=seed)
    assert sexes[match_key(woman.split()[0])] == "F"
    assert sexes[match_key(man.split()[0])] == "M"


@SEEDS
def test_a_misspelling_is_a_misspelling_of_the_surrogate(seed: int) -> None:
    right, wrong = named("Marissa Cole", "Marrisa Cole", seed=seed)
    first, other = right.split()[0], wrong.split()[0]
    assert first != other
    assert typo_between(match_key(first), match_key(other))
    assert right.split()[1] == wrong.split()[1]


@SEEDS
def test_two_people_never_get_one_name(seed: int) -> None:
    names = [f"{given} {family}" for given in ("John", "Mary", "Paul") for family in
             ("Smith", "Brown", "Jones", "Baker", "Young")]  # fmt: skip
    found = named(*names, seed=seed)
    assert len(set(found)) == len(names)
    assert not {word for name in names for word in name.split()} & {
        word for name in found for word in name.split()
    }


def test_the_initials_of_a_user_name_are_those_of_the_surrogate() -> None:
    made = namer(["Kathleen Ireland"])
    first, last = made.surrogates()[0].text.split()
    login = made.login("KI30")
    assert login[:2] == first[0] + last[0]
    assert login[2:].isdigit()
    assert login == made.login("KI30") != "KI30"
    assert made.login("ki30") == login.lower()


def test_a_name_in_a_login_is_replaced() -> None:
    made = namer(["Kathleen Ireland", "kireland"])
    full, login = (made.surrogates()[number].text for number in (0, 1))
    first, last = full.lower().split()
    assert login == first[0] + last


def test_a_spanish_name_has_two_surnames() -> None:
    full, both, one = named(
        "Estefanía Romero Selas", ("Apellidos: ", "Romero Selas"), "Romero", spoken="es"
    )
    assert full.split()[1:] == both.split()
    assert both.split()[0] == one


@SEEDS
def test_no_word_of_the_records_is_a_surrogate_nor_nearly(seed: int) -> None:
    common = [name for names in name_lists(language("en")).men.common.values() for name in names][
        ::2
    ]
    made = match_key(namer(["Dennis"], avoid=common, seed=seed).surrogates()[0].text)
    assert made not in {match_key(name) for name in common}
    assert not RecordWords(common).near(made)


@pytest.mark.parametrize("text", ["", "Dr.", "???", "12"])
def test_what_is_no_name_gets_a_placeholder(text: str) -> None:
    found = namer(["Ann Lee", text or "."]).surrogates()[1]
    assert found.text == "[PATIENT]" or found.text != text
    assert found.text == "[PATIENT]" or not found.reasons
    assert NOT_A_NAME in found.reasons or found.text != "[PATIENT]"


@pytest.mark.parametrize("text", ["Đặng", "Łukasz Øster", "Đ. Øster"])
def test_a_name_whose_first_letter_has_a_stroke_has_its_initial(text: str) -> None:
    found = namer([text]).surrogates()[0]
    assert not found.reasons
    assert not set(found.text) & set("ĐŁØ")


def test_a_name_in_another_script_is_for_a_person() -> None:
    found = namer(["李明"]).surrogates()[0]
    assert found.text != "李明"
    assert found.reasons == (NO_FITTING_NAME,)


@given(st.integers(0, 10**6))
def test_initials_are_a_permutation_that_moves_every_letter(seed: int) -> None:
    initials = draw_initials(
        {"A": 2, "B": 1}, lambda _, new: new not in "QX", lambda _: 0, Random(seed)
    )
    moved = [initials.letter(letter) for letter in ascii_uppercase]
    assert sorted(moved) == list(ascii_uppercase)
    assert all(one != other for one, other in zip(moved, ascii_uppercase, strict=True))
    assert moved[0] not in "QX"


def test_one_person_is_one_group() -> None:
    made = namer(["Dennis Holcomb", "Holcomb", "Dennis", "Ann Lee"]).surrogates()
    groups = [made[number].group for number in range(4)]
    assert groups[0] == groups[1] == groups[2] != groups[3]


@SEEDS
@pytest.mark.parametrize(
    ("full", "short"), [("William", "Bill"), ("Robert", "Bob"), ("Angela", "Angie")]
)
def test_a_nickname_is_the_same_person_by_a_nickname(full: str, short: str, seed: int) -> None:
    whole, alone, family = named(f"{full} Stone", short, f"{short} Stone", seed=seed)
    first, last = whole.split()
    assert family == f"{alone} {last}"
    assert alone.lower() in nicknames_of(first.lower())
    found = namer([f"{full} Stone", short, f"{short} Stone"], seed).surrogates()
    assert len({each.group for each in found.values()}) == 1


def test_two_people_are_not_made_one_by_their_names() -> None:
    found = namer(["William Stone", "Bill Kay", "Pat Lee", "Patrick Lee"]).surrogates()
    groups = [found[number].group for number in range(4)]
    assert len(set(groups)) == 3
    assert groups[2] == groups[3]


def test_a_spanish_name_has_no_english_nickname() -> None:
    found = namer(["William Blanco Ruiz", "Bill Blanco Ruiz"], spoken="es").surrogates()
    assert found[0].group != found[1].group


RELATIVES = (
    ("en", "His wife, ", "Alexis", "", "F"),
    ("en", "her husband ", "Alexis", "", "M"),
    ("en", "visited by ", "Alexis", ", his wife, today", "F"),
    ("es", "acude su esposa, ", "Ariel", "", "F"),
    ("es", "su marido (", "Ariel", ")", "M"),
    ("de", "Seine Frau ", "Robin", " kam", "F"),
    ("de", "Ihr Bruder ", "Robin", " kam", "M"),
    ("de", "", "Robin", ", seine Ehefrau", "F"),
    ("es", "Nombre: ", "Rocio", ".", "F"),
    ("es", "Nombre: ", "Miriam", ".", "F"),
    ("es", "Nombre: ", "Mikel", ".", "M"),
    ("es", "Nombre: ", "Clemente", ".", "M"),
)


@SEEDS
@pytest.mark.parametrize(("spoken", "before", "name", "after", "sex"), RELATIVES)
def test_a_given_name_has_the_sex_that_the_record_tells(
    spoken: str, before: str, name: str, after: str, sex: str, seed: int
) -> None:
    tag = Tag(Span(0, 1), PhiType("NAME", "PATIENT"))
    told = PhiMention(0, "1", tag, SurrogateKind.PERSON, name, before, after)
    again = [PhiMention(n, "1", tag, SurrogateKind.PERSON, name) for n in (1, 2)]
    names = read_names([told, *again], name_lists(language(spoken)))
    writer = NameWriter(names, language(spoken), RecordWords([]), Random(seed))
    new = writer.surrogates()[0].text
    assert name_lists(language(spoken)).given_sexes[match_key(new)] == sex
    assert {each.text for each in writer.surrogates().values()} == {new}


@SEEDS
def test_only_a_name_of_abroad_becomes_one(seed: int) -> None:
    lists = name_lists(language("en"))
    unknown, known = named("Ms. Xilvandrosa", "Ms. Chepkoech", seed=seed)
    assert match_key(unknown.split()[1]) not in lists.abroad
    assert match_key(known.split()[1]) in lists.abroad


@SEEDS
@pytest.mark.parametrize(
    ("label", "full", "spoken"),
    [
        ("Nombre y apellidos: ", "Miriam Ruiz Gil", "es"),
        ("First name, last name: ", "Marissa Cole", "en"),
    ],
)
def test_behind_a_label_of_both_a_name_begins_with_the_given_one(
    label: str, full: str, spoken: str, seed: int
) -> None:
    new = named((label, full), spoken=spoken, seed=seed)[0]
    assert name_lists(language(spoken)).given_sexes[match_key(new.split()[0])] == "F"
