"""Names, pronouns, ages and what people do."""

from shared.model import PhiType
from shared.synthetic.cast import CastMember
from shared.synthetic.names import NAME_FORMS, misspelt
from shared.synthetic.scene import Scene, SlotWriter

PATIENT = PhiType("NAME", "PATIENT")
DOCTOR = PhiType("NAME", "DOCTOR")
USERNAME = PhiType("NAME", "USERNAME")
AGE = PhiType("AGE", "AGE")
PROFESSION = PhiType("PROFESSION", "PROFESSION")
ORGANIZATION = PhiType("LOCATION", "ORGANIZATION")
COUNTRY = PhiType("LOCATION", "COUNTRY")

_SLIP_RATE = 0.04
_PLAIN_RATE = 0.65
"""How often a patient who has been named is called the patient again."""

_PRONOUNS = {
    "he": ("he", "she"),
    "him": ("him", "her"),
    "his": ("his", "her"),
    "himself": ("himself", "herself"),
    "He": ("He", "She"),
    "His": ("His", "Her"),
    "man": ("man", "woman"),
    "gentleman": ("gentleman", "lady"),
    "male": ("male", "female"),
    "M": ("M", "F"),
}
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()


def _patient(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{patient FORM}`: a form of NAME_FORMS, or `title` for the family name after Mr. or Ms.

    Once named, `title` is often no more than "the patient".
    """
    form = arguments[0] if arguments else "title"
    person = scene.story.cast.patient
    if form == "title" and person.key in scene.named and scene.rng.random() < _PLAIN_RATE:
        scene.text("The patient" if scene.builder.at_sentence_start else "the patient")
        return
    if form.startswith("title"):
        scene.text(_title(scene, person) + " ")
        form = "full" if form == "title-full" else "family"
    scene.phi(_written(scene, person, form), PATIENT, _entity(person))


def _title(scene: Scene, person: CastMember) -> str:
    choice = ("Mr.", "Mr.", "Mr") if person.sex == "M" else ("Ms.", "Mrs.", "Ms")
    return scene.fact(f"title {person.key}", lambda: scene.rng.choice(choice))


def _doctor(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{doctor ROLE FORM}`; of form `dr` the title, of form `md` the degree goes with the name."""
    role, form = arguments
    person = scene.visit.staff[role]
    if form.startswith("dr"):
        scene.text(f"{scene.rng.choice(('Dr.', 'Dr.', 'Dr.', 'Dr', 'dr.'))} ")
        form = form.partition("-")[2] or "family"
    ending = f", {person.credentials}" if form.startswith("md") else ""
    form = {"md": "full", "md-mid": "mid", "md-upper": "upper"}.get(form, form)
    scene.phi(_written(scene, person, form), DOCTOR, _entity(person))
    scene.text(ending)


def _username(scene: Scene, arguments: tuple[str, ...]) -> None:
    person = scene.visit.staff[arguments[0]]
    scene.phi(person.username, USERNAME, _entity(person))


def _kin(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{kin relation}`, `{kin he}`, `{kin FORM}` for one relative per record."""
    relative = scene.relative
    form = arguments[0]
    if form == "relation":
        scene.text(relative.relation)
    elif form in _PRONOUNS:
        scene.text(_PRONOUNS[form][relative.person.sex == "F"])
    else:
        scene.phi(_written(scene, relative.person, form), PATIENT, _entity(relative.person))


def _kin_age(scene: Scene, _: tuple[str, ...]) -> None:
    age = max(3, _years(scene) + scene.relative.older)
    scene.phi(str(age), AGE)


def _kin_phone(scene: Scene, _: tuple[str, ...]) -> None:
    scene.phi(scene.relative.phone, PhiType("CONTACT", "PHONE"), f"phone/{scene.relative.phone}")


def _written(scene: Scene, person: CastMember, form: str) -> str:
    """Write the name; now and then, once the record has it rightly, with a slip."""
    text = NAME_FORMS[form](person, scene.rng)
    slips = person.key in scene.named and form in {"family", "full", "given", "mid"}
    scene.named.add(person.key)
    if slips and scene.rng.random() < _SLIP_RATE:
        return misspelt(text, scene.rng)
    return text


def _entity(person: CastMember) -> str:
    return f"person/{person.key}"


def _years(scene: Scene) -> int:
    born, today = scene.story.born, scene.visit.today
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def _age(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{age}`, `{age words}`, `{age decade}` of the patient; `{age 40-60}` of somebody else."""
    form = arguments[0] if arguments else ""
    years = _years(scene)
    if "-" in form:
        low, high = form.split("-")
        years = int(scene.rng.randint(int(low), int(high)))
    if form == "words":
        scene.phi(age_in_words(years), AGE)
    elif form == "decade":
        scene.phi(f"{years // 10}0{scene.rng.choice(('s', 's', chr(39) + 's'))}", AGE)
    else:
        scene.phi(str(years), AGE)


def age_in_words(years: int) -> str:
    """Return `seventy-two` for 72; ages from 0 to 119."""
    if years < 20:
        return _ONES[years]
    if years >= 100:
        rest = years - 100
        return "one hundred" + (f" {age_in_words(rest)}" if rest else "")
    return _TENS[years // 10] + (f"-{_ONES[years % 10]}" if years % 10 else "")


def _profession(scene: Scene, _: tuple[str, ...]) -> None:
    scene.phi(scene.story.cast.profession, PROFESSION, "profession/patient")


def _kin_profession(scene: Scene, _: tuple[str, ...]) -> None:
    key = scene.relative.person.key
    text = scene.fact(f"job {key}", lambda: scene.pools.draw("professions", scene.rng))
    scene.phi(text, PROFESSION, f"profession/{key}")


def _employer(scene: Scene, _: tuple[str, ...]) -> None:
    employer = scene.story.cast.employer
    scene.phi(employer, ORGANIZATION, f"organization/{employer}")


def _country(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{country}` by name; `{country people}` as an adjective."""
    name, demonym = scene.story.cast.country
    scene.phi(demonym if arguments else name, COUNTRY, f"country/{name}")


def _other(scene: Scene, _: tuple[str, ...]) -> None:
    text = scene.fact("other", lambda: _fitting(scene.pools.words["others"], scene))
    scene.phi(text, PhiType("OTHER", "OTHER"), "other/patient")


def _fitting(texts: tuple[str, ...], scene: Scene) -> str:
    words = (" woman", " her ") if scene.story.cast.patient.sex == "M" else (" brother", " his ")
    return scene.rng.choice([each for each in texts if not any(word in each for word in words)])


def _pronoun(word: str) -> SlotWriter:
    male, female = _PRONOUNS[word]
    return lambda scene, _: scene.text(male if scene.story.cast.patient.sex == "M" else female)


PEOPLE_SLOTS: dict[str, SlotWriter] = {
    "patient": _patient,
    "doctor": _doctor,
    "username": _username,
    "kin": _kin,
    "kin_age": _kin_age,
    "kin_phone": _kin_phone,
    "kin_profession": _kin_profession,
    "age": _age,
    "profession": _profession,
    "employer": _employer,
    "country": _country,
    "other": _other,
    **{word: _pronoun(word) for word in _PRONOUNS},
}
