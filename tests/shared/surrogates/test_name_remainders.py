"""Which words beside a tagged name belong to it, and which to something else."""

import pytest

from shared.language.known_languages import known_languages
from shared.language.known_words import known_words
from shared.language.languages import language
from shared.surrogates.remainders import REST_OF_NAME
from shared.text.spelling import match_key
from tests.shared.surrogates.test_remainders import left

_WRAPPED = "She was seen in the afternoon, again without any pain, by our new colleague Dr. "


@pytest.mark.parametrize(
    ("source", "spoken", "rest"),
    [
        ("case manager [Angela|DOCTOR] Hess-Monte may come", "en", "Hess-Monte"),
        ("Dr. Anna-Lena [Feldkamp|DOCTOR] kam", "de", "Anna-Lena"),
        ("seen by [Zylphia|DOCTOR] Quorndyke today", "en", "Quorndyke"),
        ("seen by Zylphia [Quorndyke|DOCTOR] today", "en", "Zylphia"),
        ("seen by [Ann|DOCTOR]\nQuorndyke", "en", "Quorndyke"),
        ("[GIL PÉREZ|PATIENT], ZYLPHIA vino", "es", "ZYLPHIA"),
        ("[Quorndyke|DOCTOR], Zylphia: no objection", "en", "Zylphia"),
        (f"{_WRAPPED}[Ann|DOCTOR]\nQuorndyke on Monday, who wrote\nto us.", "en", "Quorndyke"),
        (f"{_WRAPPED}[Ann Lee|DOCTOR]\nQuorndyke on Monday, who wrote\nto us.", "en", "Quorndyke"),
        ("Dra. [Ana Gil|DOCTOR] Quorndyke: me duele", "es", "Quorndyke"),
        ("gesehen von [Jutta|DOCTOR] Quorndyke heute", "de", "Quorndyke"),
        ("gesehen von Zylphia [Quorndyke|DOCTOR] heute", "de", "Zylphia"),
        ("atendido por [Ana|DOCTOR] Quorndyke hoy", "es", "Quorndyke"),
        (f"{_WRAPPED}[Jutta|DOCTOR]\nQuorndyke am Montag, die schrieb", "de", "Quorndyke"),
        (f"{_WRAPPED}[Ana|DOCTOR]\nQuorndyke el lunes, que escribió", "es", "Quorndyke"),
        ("[Mary Ann|DOCTOR] Quorndyke: no objection", "en", "Quorndyke"),
        ("with Dr. [Luisa|DOCTOR] Quorndyke: no objection", "en", "Quorndyke"),
    ],
)
def test_a_name_that_no_list_knows_goes_on(source: str, spoken: str, rest: str) -> None:
    assert (REST_OF_NAME, rest) in left(source, spoken)


@pytest.mark.parametrize(
    ("source", "spoken"),
    [
        ("Name: [Stauffer|PATIENT]\nVorname: [Bernd|PATIENT]", "de"),
        ("An: Herrn Kollegen [Ebert|DOCTOR]\nDatum: 1", "de"),
        ("[Carin Löchel|DOCTOR]\nFacharztpraxis\nUlm", "de"),
        ("im Beisein seines Sohnes [Salvatore Benali|PATIENT] untersucht", "de"),
        ("Pflegedienstleitung [Jutta Heinrich|DOCTOR]", "de"),
        ("Nachricht: MfG [Brandt|DOCTOR]", "de"),
        ("Grüße, i. V. [Egon Heckenbach|DOCTOR], Oberarzt", "de"),
        ("Nombre: [Renzo Quilda|PATIENT]\nHistoria: 1", "es"),
        ("Nombre: [Renzo Quilda Mera|PATIENT] Historia: 1", "es"),
        ("Name: [Ann Quilda|PATIENT] Ward: 1", "en"),
        ("Solicitante: [Correró, Celestino|DOCTOR]\nProcedencia: Urgencias", "es"),
        ("PATIENT: [DURAN, STERLING R.|PATIENT]\nHCN: 1", "en"),
        ("Gratefully, [Chidi Arbuckle|DOCTOR], M.D.", "en"),
        ("Mum [Thelma|PATIENT] came. Hi [Jesus|DOCTOR], thanks", "en"),
        ("by [Dick Kessler|DOCTOR], M.D. here", "en"),
        ("[Ann Lee|DOCTOR] Follow-up in May", "en"),
        ("[Holly Kowalski|PATIENT]\nWallet, dentures here", "en"),
    ],
)
def test_what_something_else_begins_with_is_no_rest_of_a_name(source: str, spoken: str) -> None:
    assert [text for what, text in left(source, spoken) if what == REST_OF_NAME] == []


@pytest.mark.parametrize("code", [each for each in known_languages() if each != "und"])
def test_hardly_a_name_ends_as_words_that_are_none(code: str) -> None:
    """What is told of one such word would be told of a name, were it not in the lists."""
    spoken = language(code)
    family = known_words(spoken, "family")
    endings = tuple(map(match_key, spoken.names.no_name_endings))
    names = [each for each in map(match_key, family.read()) if each.endswith(endings)]
    assert len(names) < 10
