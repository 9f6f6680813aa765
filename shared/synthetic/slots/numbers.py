"""Contacts and identifiers."""

from shared.model import PhiType
from shared.synthetic.cast import numbered, phone_number, plain_letters
from shared.synthetic.scene import Scene, SlotWriter

PHONE = PhiType("CONTACT", "PHONE")
MEDICALRECORD = PhiType("ID", "MEDICALRECORD")
IDNUM = PhiType("ID", "IDNUM")

_STORY_NUMBERS = "ssn account healthplan license vehicle device bioid".split()


def _record_number(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{mrn}` at this hospital; `{mrn plain}` the same without its dashes."""
    number = scene.visit.hospital.record_number
    text = number.replace("-", "") if arguments else number
    scene.phi(text, MEDICALRECORD, f"number/{number}")


def _own_number(name: str) -> SlotWriter:
    phi_type = PhiType("ID", name.upper())

    def write(scene: Scene, _: tuple[str, ...]) -> None:
        number = scene.story.cast.numbers[name]
        scene.phi(number, phi_type, f"number/{number}")

    return write


def _id_number(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{idnum accession}`, `dictation`, `job` drawn anew; `{idnum doctor ROLE}` the doctor's."""
    kind, *role = arguments
    if role:
        number = scene.visit.staff[role[0]].number
        scene.phi(number, IDNUM, f"number/{number}")
        return
    patterns = {
        "accession": ("@%#-####", "@S##-#####", "%#######"),
        "dictation": ("%-#######", "%#######", "%######"),
        "job": ("%#####", "%####", "%#### / %###"),
    }
    scene.phi(numbered(scene.rng.choice(patterns[kind]), scene.rng), IDNUM)


def _phone(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{phone}` and `{phone work}` of the patient; `here` of the hospital; `any`, `extension`."""
    which = arguments[0] if arguments else "phone"
    if which == "extension":
        text = scene.rng.choice(("x", "x", "")) + numbered("%-####", scene.rng)
    elif which == "here":
        text = scene.visit.hospital.phone
    elif which == "any":
        text = phone_number(scene.rng)
    else:
        text = scene.story.cast.numbers[which]
    scene.phi(text, PHONE, f"phone/{text}")


def _pager(scene: Scene, arguments: tuple[str, ...]) -> None:
    number = scene.visit.staff[arguments[0]].pager
    scene.phi(number, PHONE, f"phone/{number}")


def _fax(scene: Scene, _: tuple[str, ...]) -> None:
    number = scene.visit.hospital.fax
    scene.phi(number, PhiType("CONTACT", "FAX"), f"phone/{number}")


def _email(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{email}` of the patient; `{email ROLE}` of a doctor."""
    if arguments:
        person = scene.visit.staff[arguments[0]]
        domain = scene.visit.hospital.domain
    else:
        person, domain = scene.story.cast.patient, "mail.example"
    name = plain_letters(person.given[0]) + plain_letters(person.family)
    scene.phi(f"{name.lower()}@{domain}", PhiType("CONTACT", "EMAIL"), f"email/{person.key}")


def _url(scene: Scene, _: tuple[str, ...]) -> None:
    domain = scene.visit.hospital.domain
    text = scene.rng.choice((f"www.{domain}", f"http://www.{domain}/portal", f"https://{domain}"))
    scene.phi(text, PhiType("CONTACT", "URL"), f"url/{domain}")


def _ip_address(scene: Scene, _: tuple[str, ...]) -> None:
    """An address of the blocks that are set aside for documentation."""
    block = scene.rng.choice(("192.0.2", "198.51.100", "203.0.113"))
    scene.phi(f"{block}.{scene.rng.randint(1, 254)}", PhiType("CONTACT", "IPADDR"))


NUMBER_SLOTS: dict[str, SlotWriter] = {
    "mrn": _record_number,
    "idnum": _id_number,
    "phone": _phone,
    "pager": _pager,
    "fax": _fax,
    "email": _email,
    "url": _url,
    "ip": _ip_address,
    **{name: _own_number(name) for name in _STORY_NUMBERS},
}
