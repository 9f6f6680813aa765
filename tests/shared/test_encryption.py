"""What is under a passphrase."""

import json
import subprocess
import sys


def test_a_key_costs_an_attacker_what_it_should():
    """Whatever tests of other things ask for, a program that is started asks for the full cost."""
    write = "from shared.encryption import encrypted; print(encrypted(b'x', 'f', 'p').decode())"
    done = subprocess.run([sys.executable, "-c", write], capture_output=True, text=True, check=True)
    head = json.loads(done.stdout.splitlines()[0])
    assert head["n"] * head["r"] * head["p"] >= 2**19
    assert head["n"] >= 2**16
