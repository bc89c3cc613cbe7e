"""Writes a new migration from the difference between the migrations there are and the tables in the code.

    make migration NAME='a few words'

What it writes is a draft: read it, and take out what a running previous release could not live with.
"""

import datetime as dt
import sys

from alembic import command

from assist_service.adapters.postgres.migrating import alembic_config, migrate
from assist_service.bootstrap.database import MIGRATIONS
from devtools.postgres import running_postgres


def write_migration(name: str) -> None:
    """The next file in `migrations/versions`, dated, numbered within its day."""
    today = dt.date.today().strftime("%Y_%m_%d")  # noqa: DTZ011 the day on the developer's calendar
    number = len(list((MIGRATIONS / "versions").glob(f"{today}_*.py"))) + 1
    with running_postgres(durable=False) as dsn:
        migrate(dsn, MIGRATIONS)
        command.revision(alembic_config(dsn, MIGRATIONS), name, autogenerate=True, rev_id=f"{today}_{number:02}")


def main() -> None:
    """The command line."""
    if len(sys.argv) != 2 or not sys.argv[1].strip():
        sys.exit("Say what the migration does: make migration NAME='a few words'")
    write_migration(sys.argv[1].strip())


if __name__ == "__main__":
    main()
