"""A plain client for the embedded GitHub, and the situation that most tests start from."""

import http.client
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from bot.sandbox import Hub

SHOP, FORK = "acme/shop", "bob/shop"
PULL = f"/repos/{SHOP}/pulls/1"
TALK = f"/repos/{SHOP}/issues/1/comments"


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What came back; `url` is what was asked."""

    method: str
    url: str
    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.data)

    @property
    def message(self) -> str:
        return str(self.json["message"])

    @property
    def errors(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = self.json["errors"]
        return found

    def link(self, name: str) -> str:
        """The address of the `next`, `last`, … page; empty where there is none."""
        links = (part.split(">; rel=") for part in self.headers.get("link", "").split(", <") if part)
        return next((url.lstrip("<") for url, rel in links if rel.strip('"') == name), "")


@dataclass(frozen=True, kw_only=True)
class Client:
    """Asks with one token; each answer is handed to `seen`."""

    hub: Hub
    token: str = ""
    seen: Callable[[Answered], None] = field(default=lambda _: None)

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answered:
        address = urlsplit(self.hub.url)
        connection = http.client.HTTPConnection("localhost", address.port, timeout=20)
        shown = {"authorization": f"Bearer {self.token}"} if self.token else {}
        data = None if body is None else json.dumps(body).encode()
        try:
            connection.request(method, path.removeprefix(self.hub.url), data, {**shown, **(headers or {})})
            got = connection.getresponse()
            lowered = {name.lower(): value for name, value in got.getheaders()}
            answer = Answered(method=method, url=path, status=got.status, headers=lowered, data=got.read())
        finally:
            connection.close()
        self.seen(answer)
        return answer

    def get(self, path: str, **headers: str) -> Answered:
        return self.ask("GET", path, headers={name.replace("_", "-"): text for name, text in headers.items()})

    def post(self, path: str, **body: Any) -> Answered:
        return self.ask("POST", path, body)

    def patch(self, path: str, **body: Any) -> Answered:
        return self.ask("PATCH", path, body)

    def delete(self, path: str) -> Answered:
        return self.ask("DELETE", path)


def seed(hub: Hub) -> None:
    """A shop with ada (write), tim (triage) and the stranger bob; his branch `fix` is pull request 1."""
    for login in ("acme", "ada", "tim", "bob", "eve"):
        hub.account(login)
    hub.repo(SHOP)
    hub.permit(SHOP, "ada", "write")
    hub.permit(SHOP, "tim", "triage")
    hub.commit(SHOP, "main", {"till.py": "one\n", "old.py": "a\nb\nc\nd\n"}, message="start", by="ada")
    hub.fork(SHOP, "bob")
    hub.commit(
        FORK, "fix", {"till.py": "two\n", "old.py": None, "new.py": "a\nb\nc\nd\n"}, message="fix the till"
    )
    hub.open(SHOP, head="bob:fix", by="bob", title="Fix the till", body="It was broken.")
