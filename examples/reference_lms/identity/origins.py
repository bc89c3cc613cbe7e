"""Under which addresses this LMS is itself."""

from starlette.types import Scope

DEFAULT_PORTS = {"http": 80, "https": 443}


def urls_of(scope: Scope, *, public: str) -> frozenset[str]:
    """The request's address at the public origin and at the socket it came in by, without query.

    Never by its Host header, which the sender writes: whoever got hold of an assertion made for another address
    could name that address.
    """
    raw = scope.get("raw_path") or scope["path"].encode()
    path = raw.decode("latin-1")
    found = {public.rstrip("/") + path}
    if scope.get("server"):
        host, port = scope["server"]
        scheme = scope["scheme"]
        found.add(f"{scheme}://{host}:{port or DEFAULT_PORTS[scheme]}{path}")
        if port in {None, DEFAULT_PORTS[scheme]}:
            found.add(f"{scheme}://{host}{path}")
    return frozenset(found)
