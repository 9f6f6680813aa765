"""What `tandem risk --release` says of a release."""

from pathlib import Path
from typing import TYPE_CHECKING

from shared.text.blocks import counted

if TYPE_CHECKING:
    from adjudicator.release_risk import ReleaseRisk


def print_release(found: "ReleaseRisk", kept: Path) -> None:
    from adjudicator.release_statements import attack_statements

    for statement in attack_statements(found):
        print(f"\n{statement.title}:")
        for sentence in statement.says:
            print(sentence)
        for limit in statement.limits:
            print(f"Limit: {limit}")
    print(f"\n{kept}: {counted(len(found.places), 'place')} to look at, the likeliest first")
    if found.places:
        print("Tag what is PHI in the gold standard, then release again.")


def release_as_json(found: "ReleaseRisk", kept: Path) -> dict[str, object]:
    from adjudicator.release_statements import attack_figures, attack_statements, utility_figures

    return {
        "attack": attack_figures(found),
        "utility": utility_figures(found),
        "limits": [limit for each in attack_statements(found) for limit in each.limits],
        "suspicious_places": str(kept),
    }
