"""Random numbers that nobody can guess from those they see."""

import hashlib
import random
import secrets

_BLOCK = 4096


class KeyedRandom(random.Random):
    """A random generator whose numbers are a stream of SHAKE-256 over a secret and a name.

    The same secret and name give the same numbers, so that what was reviewed is what is released;
    without the secret no number can be told from those seen, as it could with `random.Random`.
    """

    def __init__(self, secret: bytes, name: str) -> None:
        self._key = hashlib.sha256(secret + b"\0" + name.encode()).digest()
        self._blocks = 0
        self._bytes = b""
        self._at = 0
        super().__init__(0)

    def random(self) -> float:
        """Return a number of [0, 1) with 53 random bits."""
        return self.getrandbits(53) / (1 << 53)

    def getrandbits(self, k: int, /) -> int:
        length = (k + 7) // 8
        while len(self._bytes) - self._at < length:
            self._refill()
        piece = self._bytes[self._at : self._at + length]
        self._at += length
        return int.from_bytes(piece, "big") >> (8 * length - k)

    def _refill(self) -> None:
        counter = self._blocks.to_bytes(8, "big")
        block = hashlib.shake_256(self._key + counter).digest(_BLOCK)
        self._bytes = self._bytes[self._at :] + block
        self._at = 0
        self._blocks += 1


def new_secret() -> bytes:
    """Return 32 bytes from the operating system."""
    return secrets.token_bytes(32)


def secret_of_seed(seed: int) -> bytes:
    """Return the secret that a seed stands for, for tests: it is none."""
    return f"seed {seed}".encode()


def name_of(secret: bytes) -> str:
    """A name for what hangs on a secret, which tells nothing of it."""
    return hashlib.sha256(b"name of " + secret).hexdigest()[:16]
