import pytest

from shared.recognition.recognizer import Example
from tests.builders import document, layer

NAMES = ["Ann Lee", "Bob Stone", "Eve Moss", "Tom Reed", "Mia Clay", "Sam Frost", "Zoe Marsh"]
DOCTORS = ["Holt", "Vance", "Quinn", "Pryor", "Rusk", "Dunn", "Lowe"]


def source(number):
    name, doctor = NAMES[number % len(NAMES)], DOCTORS[(number * 3) % len(DOCTORS)]
    day = number % 27 + 1
    weekday = "[Tuesday|DATE]" if number % 3 else "Tuesday"  # annotators are not of one mind
    return (
        f"Patient: [{name}|PATIENT]\nMRN: [{44100 + number * 37}|MEDICALRECORD]\n"
        f"Seen on [{day % 12 + 1}/{day}/2071|DATE] by Dr. [{doctor}|DOCTOR] for chest pain.\n"
        f"The pressure was 120/80 and the pulse {60 + number}. Aspirin 81 mg daily was begun.\n"
        f"[{name}|PATIENT] will see Dr. [{doctor}|DOCTOR] again.\n"
        f"Less pain since {weekday}, walks with a stone in the shoe.\n"
    )


def examples_for(numbers):
    return [
        Example(
            document(source(n), f"{n // 2}-{n % 2}"), layer(source(n), f"{n // 2}-{n % 2}").tags
        )
        for n in numbers
    ]


@pytest.fixture(scope="session")
def examples():
    """Fabricated records of twelve patients, two each, with their tags."""
    return examples_for(range(24))


@pytest.fixture(scope="session")
def unseen():
    """Records of patients that `examples` does not hold."""
    return examples_for(range(100, 108))
