"""Whose a name is, by what stands beside it."""

import pytest

from shared.language.languages import language
from shared.language.person_roles import role_beside
from shared.model import Span
from shared.model.phi_traits import PersonRole

STAFF, PATIENT = PersonRole.STAFF, PersonRole.PATIENT


@pytest.mark.parametrize(
    ("code", "text", "role"),
    [
        ("en", "Seen by [Kai Moreno], hygienist, at noon.", STAFF),
        ("en", "The head nurse [Rachel Ostergaard] telephoned.", STAFF),
        ("en", "It was read with [Ann Lee] (audiology).", STAFF),
        ("en", "How did you hear of us? [Virgil Koontz], my neighbor", PATIENT),
        ("en", "The principal, [Janet Belcott], will send a letter.", PATIENT),
        ("en", "Dear Mr. [Sutwell]:", None),
        ("en", "Your friend, [Taylor Marsh]", PATIENT),
        ("en", "Pt: Mr. [Tariq Taylor]", PATIENT),
        ("en", "It was [Ann Lee] who called.", None),
        ("en", "Also seen: [Ann Lee], 57, well.", PATIENT),
        ("en", "Also seen: [Ann Lee], 5/7, well.", None),
        ("de", "Rücksprache mit dem Sozialdienst (Fr. [Dierkers], DW 4082)", STAFF),
        ("de", "Mobilisation mit Herrn [Otter] (Physio).", STAFF),
        ("de", "Rückfragen an Frau [Wolkenhauer]", STAFF),
        ("de", "Sehr geehrte Frau [Lehenhuber],", None),
        ("de", "Herr [Otter] schlief gut.", PATIENT),
        ("de", "Abends kam die Klassenlehrerin [Jana Moll].", PATIENT),
        ("de", "Sie lebt bei ihrer Schwester [Yasemin] in Bad Doberan.", PATIENT),
        ("de", "Verband durch Schwester [Yasemin].", STAFF),
        ("es", "Le visita [Eugenia Ricart], estomaterapeuta.", STAFF),
        ("es", "La profesora, [Triana Zaragoza], avisa.", PATIENT),
        ("es", "Prof. [Triana Zaragoza]", STAFF),
        ("es", "Avisa [Chus Gamarra], jefa de Atención al Paciente.", None),
        ("es", "Vino con su vecina [Martirio de la Segovia].", PATIENT),
    ],
)
def test_what_stands_beside_a_name_tells_whose_it_is(code, text, role):
    start, end = text.index("["), text.index("]") - 1
    bare = text.replace("[", "").replace("]", "")
    assert role_beside(bare, Span(start, end), language(code)) is role
