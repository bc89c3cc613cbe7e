"""The contract's part about who calls: token exchange, revocation, standing, and how requests are signed."""

from typing import Any

from examples.reference_lms.identity.exchange import (
    ACCESS_TOKEN_TYPE,
    API_AUDIENCE,
    ASSERTION_TYPE,
    FORM_TYPE,
    GRANT_TYPE,
    JWT_TYPE,
    SCOPES,
)
from examples.reference_lms.identity.standing import PATH as STANDING_PATH
from examples.reference_lms.identity.standing import STANDING_AUDIENCE

Json = dict[str, Any]

DESCRIPTION = f"""\
Every read and write is made as the person who asks, by their seats: a teacher reaches the courses they have a seat on
and what belongs to them. Anything else is 404, byte for byte the answer for an id that does not exist. Administrators
have their own seats only: the LMS ignores `elevated` when it exchanges a session. Students and trainer administrators
get empty lists and 404.

Ids are UUIDs. Lists are paged: `?cursor=` takes the `next` of the part before. Answers may hold more keys than named
here; the service drops them, and never shows marks that are not final or whose column is not released.

Writes are audited with the actor `assistant`, the person acted for, and the tool named by `X-Assist-Tool`.

A write that is answered with 4xx has written nothing, 429 and 413 included. Whatever else is not 200 or 201 with at
least `id` and `title` of the thing that was made or changed leaves open whether it was made: the person is told so, and
the same bytes may come again under the same key.

Client assertions are JWTs signed with ES256, header `typ: client-authentication+jwt`, `iss` = `sub` = the client's id,
`exp` at most 300 s away, `aud` a single text: the token endpoint's URL with a `jti` used once, or for standing
`{STANDING_AUDIENCE}`. An ended session, an ended account and a changed role take effect on live tokens at once.
"""

_TEXT: Json = {"type": "string", "minLength": 1}

_OAUTH_ERRORS = (
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "invalid_scope",
    "invalid_target",
    "unsupported_grant_type",
    "invalid_dpop_proof",
    "use_dpop_nonce",
)

_ASSERTION: Json = {
    "client_assertion_type": {"const": ASSERTION_TYPE},
    "client_assertion": _TEXT,
    "client_id": {**_TEXT, "description": "If given, that of the assertion."},
}

IDENTITY_SCHEMAS: Json = {
    "TokenRequest": {
        "type": "object",
        "properties": {
            "grant_type": {"const": GRANT_TYPE},
            "subject_token": {
                **_TEXT,
                "description": "The session JWT that this LMS signed for this client, which must be its one `aud`.",
            },
            "subject_token_type": {"const": JWT_TYPE},
            "requested_token_type": {"const": ACCESS_TOKEN_TYPE},
            "audience": {"const": API_AUDIENCE},
            "scope": {"enum": sorted(SCOPES), "description": "Exactly one."},
            **_ASSERTION,
        },
        "required": [
            "grant_type",
            "subject_token",
            "subject_token_type",
            "audience",
            "scope",
            "client_assertion_type",
            "client_assertion",
        ],
    },
    "TokenAnswer": {
        "type": "object",
        "properties": {
            "access_token": {**_TEXT, "description": "Opaque."},
            "issued_token_type": {"const": ACCESS_TOKEN_TYPE},
            "token_type": {"enum": ["DPoP", "Bearer"], "description": "`Bearer` only where the LMS has no DPoP."},
            "expires_in": {"type": "integer", "minimum": 1, "maximum": 900},
            "scope": {"enum": sorted(SCOPES)},
        },
        "required": ["access_token", "issued_token_type", "token_type", "expires_in", "scope"],
    },
    "RevocationRequest": {
        "type": "object",
        "properties": {"token": _TEXT, "token_type_hint": _TEXT, **_ASSERTION},
        "required": ["token", "client_assertion_type", "client_assertion"],
    },
    "OAuthError": {
        "type": "object",
        "properties": {"error": {"enum": list(_OAUTH_ERRORS)}, "error_description": {"type": "string"}},
        "required": ["error"],
    },
}

NONCE_HEADER: Json = {
    "description": "The nonce for the next proof (RFC 9449, section 8). Absent where the LMS has no DPoP.",
    "schema": {"type": "string"},
}

SECURITY_SCHEMES: Json = {
    "dpop": {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "`DPoP <access token>`; always together with the proof.",
    },
    "dpopProof": {
        "type": "apiKey",
        "in": "header",
        "name": "DPoP",
        "description": "A proof by the token's key, good once: `htm`, `htu`, `ath`, `jti`, `iat` within 60 s, `nonce`.",
    },
    "bearer": {"type": "http", "scheme": "bearer", "description": "Where the LMS has no DPoP."},
    "client": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": f"A client JWT for `{STANDING_AUDIENCE}`.",
    },
}


def _schema(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _answer(description: str, schema: str) -> Json:
    return {"description": description, "content": {"application/json": {"schema": _schema(schema)}}}


def _with_nonce(answer: Json) -> Json:
    return {**answer, "headers": {"DPoP-Nonce": {"$ref": "#/components/headers/DPoPNonce"}}}


def _form(schema: str) -> Json:
    return {"required": True, "content": {FORM_TYPE: {"schema": _schema(schema)}}}


IDENTITY_PATHS: Json = {
    STANDING_PATH: {
        "get": {
            "operationId": "read_standing",
            "summary": "What a person is now",
            "security": [{"client": []}],
            "parameters": [{"name": "sub", "in": "path", "required": True, "schema": _TEXT}],
            "responses": {
                "200": _answer("As of now.", "Standing"),
                "401": _answer("Not the service's own client JWT for this audience.", "Refused"),
                "404": _answer("No such account.", "Refused"),
            },
        }
    },
    "/oauth/token": {
        "post": {
            "operationId": "exchange",
            "summary": "A session exchanged for a token of the person's (RFC 8693)",
            "security": [],
            "parameters": [
                {
                    "name": "DPoP",
                    "in": "header",
                    "schema": _TEXT,
                    "description": "The proof of the key the token will be bound to, unless the LMS has no DPoP.",
                }
            ],
            "requestBody": _form("TokenRequest"),
            "responses": {
                "200": _with_nonce(_answer("A token for one scope.", "TokenAnswer")),
                "400": _with_nonce(_answer("Refused; `use_dpop_nonce`: again, with the nonce.", "OAuthError")),
                "401": _answer("`invalid_client`.", "OAuthError"),
            },
        }
    },
    "/oauth/revoke": {
        "post": {
            "operationId": "revoke",
            "summary": "A token ended (RFC 7009); an LMS may lack this and answer 404",
            "security": [],
            "requestBody": _form("RevocationRequest"),
            "responses": {
                "200": {"description": "The token is worth nothing now, whether or not it ever was anything."},
                "400": _answer("No token was named.", "OAuthError"),
                "401": _answer("`invalid_client`.", "OAuthError"),
            },
        }
    },
}
