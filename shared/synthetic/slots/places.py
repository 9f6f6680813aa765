"""Hospitals, departments, rooms and addresses."""

from collections.abc import Callable

from shared.model import PhiType
from shared.synthetic.cast import Hospital, Town, numbered
from shared.synthetic.scene import Scene, SlotWriter

HOSPITAL = PhiType("LOCATION", "HOSPITAL")
_DEPARTMENT = PhiType("LOCATION", "DEPARTMENT")
_ROOM = PhiType("LOCATION", "ROOM")
_STREET = PhiType("LOCATION", "STREET")
_ELSEWHERE = PhiType("LOCATION", "LOCATION-OTHER")


def _hospital(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{hospital here|other|facility full|upper|abbr|both}`; `both`: name, then (abbreviation)."""
    which, form = arguments
    if which == "facility":
        facility = scene.story.cast.facility
        scene.phi(facility.upper() if form == "upper" else facility, HOSPITAL, "place/facility")
        return
    hospital = _which(scene, which)
    entity = f"place/{hospital.key}"
    if form == "abbr":
        scene.phi(hospital.abbreviation, HOSPITAL, entity)
        return
    scene.phi(hospital.name.upper() if form == "upper" else hospital.name, HOSPITAL, entity)
    if form == "both":
        scene.text(" (")
        scene.phi(hospital.abbreviation, HOSPITAL, entity)
        scene.text(")")


def _which(scene: Scene, which: str) -> Hospital:
    here = scene.visit.hospital
    if which == "here":
        return here
    return next(each for each in reversed(scene.story.cast.hospitals) if each != here)


def _department(scene: Scene, _: tuple[str, ...]) -> None:
    stems = scene.pools.words["hospital stems"]
    key = f"department/{scene.visit.hospital.key}"
    text = scene.fact(key, lambda: scene.pools.draw("departments", scene.rng))
    text = text.replace("{stem}", scene.fact(f"{key} stem", lambda: scene.rng.choice(stems)))
    scene.phi(text, _DEPARTMENT, key)


def _room(scene: Scene, _: tuple[str, ...]) -> None:
    pattern = scene.pools.draw("rooms", scene.rng)
    for slot, digits in (("{n}", "%##"), ("{d}", "%"), ("{L}", "@")):
        pattern = pattern.replace(slot, numbered(digits, scene.rng))
    scene.phi(pattern, _ROOM)


def _street(scene: Scene, arguments: tuple[str, ...]) -> None:
    street = _which(scene, arguments[0]).street if arguments else scene.story.cast.street
    scene.phi(street, _STREET, f"street/{street}")


def _town(scene: Scene, arguments: tuple[str, ...]) -> Town:
    """`home` (the default), `here` and `other` of the hospitals, `birth`."""
    which = arguments[0] if arguments else "home"
    if which in {"here", "other"}:
        return _which(scene, which).town
    return scene.story.cast.towns[-1] if which == "birth" else scene.story.cast.towns[0]


def _of_town(name: str, shown: Callable[[Town], str], key: Callable[[Town], str]) -> SlotWriter:
    phi_type = PhiType("LOCATION", name)

    def write(scene: Scene, arguments: tuple[str, ...]) -> None:
        town = _town(scene, arguments)
        scene.phi(shown(town), phi_type, f"{name.lower()}/{key(town)}")

    return write


_city = _of_town("CITY", lambda town: town.name, lambda town: town.name)
_state = _of_town("STATE", lambda town: town.state, lambda town: town.state)
_state_name = _of_town("STATE", lambda town: town.state_name, lambda town: town.state)
_zip = _of_town("ZIP", lambda town: town.zip_code, lambda town: town.zip_code)


def _address(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{address}` of the patient in a line, `lines` for two; `here`, `other` of a hospital."""
    where = tuple(each for each in arguments if each in {"here", "other"})
    _street(scene, where)
    scene.text("\n" if "lines" in arguments else ", ")
    _city(scene, where)
    scene.text(", ")
    _state(scene, where)
    scene.text("  " if "lines" in arguments else " ")
    _zip(scene, where)


def _elsewhere(scene: Scene, _: tuple[str, ...]) -> None:
    place = scene.fact("elsewhere", lambda: scene.pools.draw("other places", scene.rng))
    scene.phi(place, _ELSEWHERE, f"elsewhere/{place}")


PLACE_SLOTS: dict[str, SlotWriter] = {
    "hospital": _hospital,
    "department": _department,
    "room": _room,
    "street": _street,
    "city": _city,
    "state": _state,
    "state_name": _state_name,
    "zip": _zip,
    "address": _address,
    "elsewhere": _elsewhere,
}
