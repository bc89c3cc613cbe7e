"""The tag of a conversation's placeholders: random, so that nobody can write one."""

import secrets

from assist_service.domain.placeholders import TAG_CHARACTERS, TAG_LENGTH


def new_tag() -> str:
    """Eight letters of nineteen: one of 17 thousand million."""
    return "".join(secrets.choice(TAG_CHARACTERS) for _ in range(TAG_LENGTH))
