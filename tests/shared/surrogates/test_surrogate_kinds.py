"""Types mapped to kinds of surrogate."""

from pathlib import Path

import pytest

from shared.errors import FileFormatError, StorageError
from shared.formats.schema_auto import schema_of_types
from shared.language.type_names import guess_traits
from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import EntityKind, PhiTraits
from shared.surrogates.surrogate_kinds import SurrogateKind, kind_of, kinds_of, read_kinds
from tests.builders import phi


def test_the_types_of_i2b2_are_built_in() -> None:
    found = kinds_of(I2B2_2014)
    assert not found.guessed
    assert found.kind(phi("DOCTOR")) is SurrogateKind.PERSON
    assert found.kind(phi("MEDICALRECORD")) is SurrogateKind.NUMBER
    assert found.kind(phi("FAX")) is SurrogateKind.PHONE


@pytest.mark.parametrize(
    ("category", "name", "kind"),
    [
        ("NAME", "NOMBRE_SUJETO_ASISTENCIA", SurrogateKind.PERSON),
        ("LOCATION", "TERRITORIO", SurrogateKind.TERRITORY),
        ("LOCATION", "CENTRO_SALUD", SurrogateKind.HOSPITAL),
        ("LOCATION", "PAIS", SurrogateKind.COUNTRY),
        ("OTHER", "SEXO_SUJETO_ASISTENCIA", SurrogateKind.KEEP),
        ("OTHER", "FAMILIARES_SUJETO_ASISTENCIA", SurrogateKind.RELATIVE),
        ("ID", "ID_SUJETO_ASISTENCIA", SurrogateKind.NUMBER),
        ("AGE", "EDAD_SUJETO_ASISTENCIA", SurrogateKind.AGE),
        ("CONTACT", "CORREO_ELECTRONICO", SurrogateKind.EMAIL),
        ("CONTACT", "NUMERO_FAX", SurrogateKind.PHONE),
        ("DATE", "BIRTHDAY_OF", SurrogateKind.DATE),
        ("LOCATION", "ELSEWHERE", SurrogateKind.PLACE),
        ("MISC", "THING", SurrogateKind.OTHER),
    ],
)
def test_guesses(category: str, name: str, kind: SurrogateKind) -> None:
    assert kind_of(guess_traits(PhiType(category, name))) is kind


@pytest.mark.parametrize("kind", EntityKind)
def test_every_kind_of_phi_has_a_kind_of_surrogate(kind: EntityKind) -> None:
    assert kind_of(PhiTraits.of(kind)) in SurrogateKind


def test_staff_are_told_from_patients_by_traits_not_by_a_name() -> None:
    names = ("NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA")
    staff, patient = (PhiType("NAME", name) for name in names)
    found = kinds_of(schema_of_types([staff, patient], "auto"))
    assert found.staff == {staff}
    assert found.guessed == ()


def test_what_a_file_says_goes_before_the_guess(tmp_path: Path) -> None:
    path = tmp_path / "kinds.toml"
    path.write_text('[surrogates]\nTHING = "person"\n"MISC:OTHER" = "keep"\n')
    types = [PhiType("MISC", "THING"), PhiType("MISC", "OTHER"), PhiType("MISC", "DATE")]
    found = kinds_of(schema_of_types(types, "s"), read_kinds(path))
    assert [found.kind(each) for each in types] == [
        SurrogateKind.PERSON,
        SurrogateKind.KEEP,
        SurrogateKind.DATE,
    ]
    assert found.guessed == (types[2],)


@pytest.mark.parametrize("text", ['[surrogates]\nX = "people"\n', "X = 1\n", "= ?\n", "\ufffe"])
def test_a_broken_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kinds.toml"
    path.write_bytes(text.encode("utf-16-le") if text == "\ufffe" else text.encode())
    with pytest.raises(FileFormatError):
        read_kinds(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        read_kinds(tmp_path / "none.toml")
