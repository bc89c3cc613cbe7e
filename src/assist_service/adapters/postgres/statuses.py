"""What Postgres says of a command that it has run."""


def rows_of(status: str) -> int:
    """The number of rows in a command's status, such as `DELETE 7`."""
    return int(status.rsplit(" ", 1)[-1])
