"""Stand-ins for the demo's two servers, run as `python stand_ins.py PORT`: what the demo asks, answered.

One program plays both: the paths of the reference LMS and of the service do not overlap.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SCHOOL = {
    "people": [
        {"sub": "s1", "name": "Sam Student", "role": "student"},
        {"sub": "t1", "name": "Tess Teacher", "role": "teacher"},
    ],
    "entities": [
        {"kind": "pool", "id": "p2", "title": "Not hers", "owner": "t2"},
        {"kind": "pool", "id": "p1", "title": "Hers", "owner": "t1"},
    ],
}

RECEIPT = {
    "models": ["stub:stub"],
    "requests": 2,
    "input_tokens": 1200,
    "cached_input_tokens": 800,
    "output_tokens": 90,
    "cost_micros": 1234,
    "corpus_version": "abc",
    "sent": [{"tool": "read_guide", "disclosure": "open"}],
    "also_sent": ["question"],
}


def reply_to(asked: dict[str, Any], token: str) -> dict[str, Any]:
    """An answer that shows what was asked, by whom, and from where."""
    changes = asked["question"].startswith("Create")
    return {
        "kind": "manual",
        "conversation_id": "c1",
        "actions": [{"type": "open_screen", "path": "/pools/p1"}] if asked["question"].startswith("Show") else [],
        "writes": [{"id": "w1", "lines": [{"label": "title", "value": "Revision"}]}] if changes else [],
        "answer": f"{asked['question']} asked with {token} about {asked['context']['entities']['pool']} [1]",
        "language": "en",
        "citations": [{"marker": 1, "title": "Pools", "page": "teacher/pools", "href": "/assist/manual/abc/pools"}],
        "receipt": RECEIPT,
    }


class Handler(BaseHTTPRequestHandler):
    def _answer(self, body: object) -> None:
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self) -> None:
        self._answer(SCHOOL if self.path == "/demo/school" else {"status": "ok"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/demo/session":
            self._answer({"token": f"token-of-{body['person']}"})
        elif self.path == "/assist/writes/w1/confirm":
            self._answer({"title": f"Made in {body['conversation_id']}", "path": "/pools/p1?category=k1"})
        else:
            self._answer(reply_to(body, self.headers["Authorization"]))


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
