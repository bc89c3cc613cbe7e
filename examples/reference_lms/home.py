"""One static page without scripts that says what this is and where to look."""

from html import escape

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference LMS</title>
<link rel="icon" href="/static/mark.svg" type="image/svg+xml">
</head>
<body>
<h1>Reference LMS</h1>
<p>A small learning management system at <code>{url}</code>, for the demo and the tests of the assistant
service. Its people are invented and anyone may sign in as any of them: never run it where that matters.</p>
<p><a href="/sign-in">Sign in</a> to see its pages, with the assistant beside them.</p>
<ul>
<li><a href="/demo/school">Who and what there is</a></li>
<li><a href="/demo/requests">Every request made to this LMS</a>,
and <a href="/demo/audit">the writes alone</a></li>
<li><a href="/demo/tokens">Live access tokens</a></li>
<li><a href="/.well-known/jwks.json">The keys its sessions are signed with</a>,
and <a href="/.well-known/client-jwks.json">those of its back end</a></li>
<li><a href="/healthz">Health</a></li>
</ul>
<p>Sign someone in with <code>POST /demo/session</code>, break something with <code>POST /demo/faults</code>:
the README beside the source lists both.</p>
</body>
</html>
"""


def render_home(*, url: str) -> str:
    return _PAGE.format(url=escape(url))
