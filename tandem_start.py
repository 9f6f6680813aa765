"""Where the command `tandem` begins: ours is meant where PYTHONPATH has a folder `shared` too."""

import sys
from pathlib import Path


def main() -> int:
    sys.path.insert(0, str(Path(__file__).parent))
    from shared.commands.main import main as run

    return run()
