"""Which commands there are, what each does, and where its program code is."""

import importlib
from types import ModuleType

COMMANDS = {
    "demo": "take fabricated patients through the whole pipeline, then open both windows",
    "new": "create a project from a folder of records",
    "assign": "give patients to annotators, and take back what is not begun",
    "hand-out": "write an annotator's patients into an encrypted file, to be worked on elsewhere",
    "open": "make a project of a file that was handed out",
    "hand-in": "write the work done elsewhere into an encrypted file",
    "collect": "take work that was handed in into the project",
    "annotate": "open the annotation window",
    "adjudicate": "open the adjudication window, or write what was decided",
    "status": "progress per annotator and patient",
    "check": "check consistency: tagged here, not there",
    "agreement": "agreement between annotators and with the gold standard",
    "verify": "hold a project against its journals and logs: what was lost or changed unseen",
    "score": "precision, recall and F1 of one folder of records against another",
    "train": "train a recognizer on gold records",
    "suggest": "tag a folder of records with a recognizer",
    "import-suggestions": "let what another program predicted be suggested to the annotators",
    "evaluate": "measure a recognizer on gold records",
    "reproduce": "make the tables of a paper on de-identification anew, beside its figures",
    "surrogate": "replace PHI by surrogates, check for leaks, write the release",
    "risk": "estimate what may be left after adjudication",
    "audit": "draw records to be read in full before a release, and bound what is left",
    "convert": "convert records between file formats",
    "completion": "print a script that completes commands and options in a shell",
}
"""What each command does, in the order of the help; each is a module of this package."""


def module_of(name: str) -> ModuleType:
    """Import the module of a command: it has `add_arguments` and `run`."""
    return importlib.import_module(f"shared.commands.{name.replace('-', '_')}")
