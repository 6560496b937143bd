"""Which inputs are kept out of the training text so that evaluation can ask about them."""

import zlib

#: One in this many combinations is never shown in training.
HELD_OUT_ONE_IN = 10


def is_held_out(*parts: str) -> bool:
    """Whether a combination (two names, a country and a template …) is reserved for evaluation.

    A checksum decides, so the answer is the same on every machine and does not depend on any seed.
    """
    return checksum(*parts) % HELD_OUT_ONE_IN == 0


def checksum(*parts: str) -> int:
    return zlib.crc32("|".join(parts).encode())
