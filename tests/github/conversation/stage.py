"""The situation of the conversations: the embedded GitHub with a shop that has the workshop's defect."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from bot import catalog
from bot.github import events, handling, polling
from bot.github.carrying import Delivery
from bot.github.desk import Office
from bot.github.facts import Rules
from bot.github.handling import Handled, Means
from bot.github.port import Hub
from bot.model import Patch
from bot.model.plan import Plan
from bot.sandbox import Hub as Sandbox
from bot.sandbox.clock import iso
from tests.conftest import CURED, FILE, Workshop

SHOP = "acme/shop"
BOT = "github-actions[bot]"
SIGNED = "keep the amount\n\nSigned-off-by: bob <bob@users.noreply.github.com>\n"
#: What differs from machine to machine and from run to run.
UNSTABLE = (
    (r"\b[0-9a-f]{64}\b", "DIGEST"),
    (r"\b[0-9a-f]{40}\b", "COMMIT"),
    (r"<code>[0-9a-f]{12}</code>", "<code>SHORT</code>"),
    (r"evidence <code>[0-9a-f]{12}", "evidence <code>SHORT"),
    (r"Python [0-9.]+", "Python X"),
    (r"(?m)^- (python|implementation|platform|packages): .*$", r"- \1: ON-THIS-MACHINE"),
    (r'"comment":[0-9]+', '"comment":N'),
    (r"localhost:[0-9]+", "HUB"),
    (r"<code>(none|namespace)</code>: The code under test .*", "ISOLATION"),
)
START = "2026-08-03T09:00:00Z"


@dataclass(kw_only=True)
class Stage:
    """The keeper's bot works on `acme/shop`, where ada may write and bob has opened pull request 1."""

    hub: Sandbox
    shop: Workshop
    connect: Callable[[str], Hub]
    token: str
    slept: list[float] = field(default_factory=list)
    pace: float = 0.0
    runs: list[Plan] = field(default_factory=list)
    places: list[Path] = field(default_factory=list)
    delivery: Delivery | None = None
    before_publish: Callable[[], object] = field(default=lambda: None)

    @property
    def head(self) -> str:
        return self.hub.ref(SHOP, "pull/1/head") or ""

    @property
    def patch(self) -> Patch:
        return catalog.load(self.shop.patches, "till")

    def means(self, token: str = "", *, allow: frozenset[int] = frozenset(), poll: bool = False) -> Means:
        office = Office(hub=self.connect(token or self.token), sleep=self.sleep, now=self.now)
        carries = self.delivery is not None
        manifests = (self.patch.manifest,)
        rules = Rules(patches=manifests, allow=allow, operator_only=poll, carries=carries)
        patches = {"till": self.patch}
        return Means(office=office, rules=rules, patches=patches, runner=self.run, delivery=self.delivery)

    def sleep(self, seconds: float) -> None:
        """Note it; where several runs go at once, a part of it must really pass."""
        self.slept.append(seconds)
        time.sleep(seconds * self.pace)

    def now(self) -> str:
        return iso(self.hub.clock.now())

    def run(self, plan: Plan, place: Path) -> None:
        """Run as the command line does: in a process of its own."""
        self.runs.append(plan)
        self.places.append(place)
        file = place / "plan.json"
        file.write_bytes(msgspec.json.encode(plan))
        where = ("--upstream", str(self.hub.git_dir(SHOP)))
        self.shop.run("run", "--plan", str(file), "--out", str(place), *where)
        self.before_publish()

    def handle(self, index: int | None = None, token: str = "") -> Handled:
        """Handle an event that the sandbox has sent; by default the last that is not of our own making."""
        others = [one for one in self.hub.events if one.payload["sender"]["login"] != BOT]
        event = others[-1] if index is None else self.hub.events[index]
        return handling.handle(self.means(token), events.parse(event.data, event.name))

    def say(self, who: str, body: str, token: str = "") -> Handled:
        """Comment on the pull request, and let the bot hear of it."""
        self.hub.say(SHOP, 1, who, body)
        return self.handle(token=token)

    def poll(self, token: str) -> tuple[str, ...]:
        means = self.means(token, poll=True)
        return polling.poll(
            means.office, (SHOP, 1), means.rules, lambda event: handling.carry_out(means, event).lines
        )

    def gate(self, head: str = "") -> None:
        """Upstream's gate says that somebody must vet, or with a head that somebody did."""
        if head:
            self.hub.branch(SHOP, "pull-request/1", head)
        else:
            self.hub.account("copy-pr-bot[bot]", kind="Bot")
            text = "This pull request requires additional validation before any workflows can run."
            self.hub.say(SHOP, 1, "copy-pr-bot[bot]", text)

    def push(self, files: dict[str, str | None], message: str = "more") -> str:
        return self.hub.commit("bob/shop", "fix", files, message=message, by="bob")

    def bodies(self, who: str = BOT) -> list[str]:
        """What an account has said, oldest first."""
        hub = self.connect(self.token)
        return [one.body for one in hub.comments(SHOP, 1) if one.author.login == who]

    def reactions(self, comment: int) -> list[str]:
        return [one.content for one in self.connect(self.token).reactions(SHOP, comment)]

    def plain(self, body: str, **named: str) -> str:
        """A body without what differs from machine to machine; commits get the names that are given."""
        base = self.hub.ref(SHOP, "heads/main") or "-"
        for name, commit in {**named, "BASE": base}.items():
            body = body.replace(commit, name).replace(commit[:12], f"SHORT-{name}")
        for pattern, name in UNSTABLE:
            body = re.sub(pattern, name, body)
        return body.rstrip() + "\n"


def build(hub: Sandbox, shop: Workshop, connect: Callable[[str], Hub]) -> Stage:
    hub.clock.stop(START)
    shop.patch(upstream={"repo": "https://example.org/acme/shop.git", "paths": ["shop"]})
    for login in ("acme", "ada", "bob", "eve"):
        hub.account(login)
    hub.repo(SHOP, source=shop.upstream / ".git")
    hub.permit(SHOP, "ada", "write")
    hub.fork(SHOP, "bob")
    hub.commit("bob/shop", "fix", {FILE: CURED}, message=SIGNED, by="bob")
    hub.open(SHOP, head="bob:fix", by="bob", title="Keep the amount", body="No rate, no amount.")
    token = hub.actions_token(SHOP, expires_in=None)
    return Stage(hub=hub, shop=shop, connect=connect, token=token)
