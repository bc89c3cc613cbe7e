"""The page with the panel in a Kolibri under a path of its own: what it loads and where it leads is under it too."""

from pathlib import Path

import pytest

from devtools.children import Program, run_to_end
from tests.slow.kolibri_install import PLUGIN, environment, installed

pytestmark = pytest.mark.slow

ASKING = """
import os
import sys

os.environ["DJANGO_SETTINGS_MODULE"] = "kolibri_assist_exchange.settings"
from kolibri.utils.env import set_env

set_env()
import django

django.setup()
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from kolibri.core.auth.models import FacilityUser
from kolibri_assist_exchange import embedding

with open(sys.argv[1], "w") as file:
    for user in (AnonymousUser(), FacilityUser()):
        request = RequestFactory().get("/school/assist/")
        request.user = user
        answer = embedding.page(request)
        file.write(f"{answer.get('Location')}\\n{answer.content.decode()}\\n")
"""


def test_under_a_path(tmp_path: Path) -> None:
    asking, said = tmp_path / "asking.py", tmp_path / "said"
    asking.write_text(ASKING)
    variables = {
        "KOLIBRI_HOME": str(tmp_path),
        "KOLIBRI_URL_PATH_PREFIX": "school",
        "KOLIBRI_ASSIST_URL": "http://kolibri.example/school",
        "KOLIBRI_ASSIST_CLIENT_JWKS_URL": "http://assist.example/.well-known/jwks.json",
        "KOLIBRI_ASSIST_SERVICE_URL": "http://assist.example",
    }
    program = Program(
        name="asking",
        command=[str(installed() / "python"), str(asking), str(said)],
        environment=environment() | variables,
        folder=tmp_path,
        log=tmp_path / "log",
    )
    run_to_end(program, timeout_seconds=60)
    text = said.read_text()
    assert text.startswith("/school/\n")
    assert 'src="/school/assist/host.js"' in text
    assert 'href="/school/"' in text
    host = PLUGIN / "src" / "kolibri_assist_exchange" / "page" / "host.js"
    # A module of a page is where the page's own folder is: from there, and not from the origin.
    assert 'new URL("../api/assist/session", import.meta.url)' in host.read_text()
