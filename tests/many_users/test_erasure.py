"""One person erased by the operator: all of theirs is gone from every store, all of the others' is whole."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.many_users.dump import in_file, in_redis
from tests.many_users.server import INSTANCES, Person, Servers
from wellsourced.identity import digest_of
from wellsourced.storage.audit.verify import verify_audit_log
from wellsourced.storage.sealer import Sealer

WORKSPACE = "erasure"


def live_a_day(servers: Servers, who: Person) -> dict[str, str]:
    """Leaves something everywhere, on both instances; gives what it takes to get at some of it.

    Pages and addresses of search results are the tenant's and stay, so they are the same for everybody here.
    """
    servers.admin("POST", "/admin/workspace/members", {**who.names, "workspace_id": WORKSPACE})
    step = {"searchStep": who.mark, "researchGoal": who.mark, "stepNumber": 1, "nextStepNeeded": True}
    session = servers.call(who, 0, "sequential_search", **step).content["sessionId"]
    page = f"{servers.internet.base}/site/bravo/a-page-that-all-read"
    for instance in INSTANCES:
        for tool, arguments in (
            ("web_search", {"query": f"{who.mark} {instance}", "session_id": session}),
            ("search", {"query": "a page that all read"}),
            ("memory_save", {"note": who.mark, "topic": who.mark, "tags": [who.mark]}),
            ("workspace_contribute", {"workspace_id": WORKSPACE, "note": who.mark}),
            ("scrape_page", {"url": page}),
            ("get_my_analytics", {}),
        ):
            assert servers.call(who, instance, tool, **arguments).content.get("status", "ok") in {"ok", "empty"}
    large = servers.call(who, 0, "research_export", sessionId=session).content["resource"]
    return {"session": session, "resource": large}


def words_of(who: Person) -> list[bytes]:
    """What must not be found: the mark, the name as it is and as JSON writes it, and the digests that stand for it."""
    owner = digest_of(who.tenant, who.user)
    spellings = (who.mark, who.user, json.dumps(who.user)[1:-1], owner, who.identity.owner)
    return [spelling.encode() for spelling in spellings]


def stores(servers: Servers) -> dict[str, bytes]:
    files = {f"file {number}": in_file(path, servers.key) for number, path in enumerate(servers.files)}
    return {"redis": in_redis(servers.redis_url, servers.key), **files}


def get_at(servers: Servers, who: Person, instance: int, left: dict[str, str]) -> dict[str, Any]:
    return {
        "session": servers.call(who, instance, "get_research_session", sessionId=left["session"]).is_error,
        "resource": servers.read(who, instance, left["resource"]).is_error,
        "memory": who.mark not in servers.call(who, instance, "memory_recall").text,
        "workspace": who.mark not in servers.call(who, instance, "workspace_read", workspace_id=WORKSPACE).text,
    }


def exported(servers: Servers, who: Person) -> dict[str, Any]:
    """From both, since each first writes down what it is still counting."""
    _, found = (servers.admin("GET", "/admin/data", instance=instance, **who.names) for instance in INSTANCES)
    assert found["userId"] == who.user and "errors" not in found
    namespaces: dict[str, Any] = found["namespaces"]
    return namespaces


def test_an_erased_person_leaves_no_trace_and_the_others_stay_whole(servers: Servers) -> None:
    gone, *others = people = servers.people()
    servers.agree(*people)
    left = {who.user: live_a_day(servers, who) for who in people}
    before = {who.user: exported(servers, who) for who in people}
    # Whose library has the page here depends on whose answer the other instance had kept.
    for who in people:
        found = before[who.user]
        assert {name: len(items) for name, items in found.items() if items and name != "library"} == {
            "sessions": 1, "memory": 2, "analytics": 1, "workspace": 3, "consent": 4,
        }  # fmt: skip
        assert all(who.mark in json.dumps(found[name]) for name in ("sessions", "memory", "workspace"))
        assert found["analytics"][0]["toolCounts"]["web_search"] == 2
        assert not [other.mark for other in people if other != who and other.mark in json.dumps(found)]
        assert who.mark.encode() in stores(servers)["redis"], "the dump looks into what is sealed"

    erased = servers.admin("DELETE", "/admin/data", instance=1, **gone.names)
    assert {name: count for name, count in erased["deleted"].items() if name not in {"cache", "library"}} == {
        "sessions": 1, "projects": 0, "memory": 2, "analytics": 1, "workspace": 3, "consent": 4,
    }  # fmt: skip
    assert erased["deleted"]["cache"] >= 5, "answers, personal answers and artifacts"

    # Without a shared library each instance keeps its readers' pages in a file of its own, and is asked itself.
    servers.admin("DELETE", "/admin/data", instance=0, **gone.names)
    for place, held in stores(servers).items():
        assert not [word for word in words_of(gone) if word in held], place
    for who in others:
        assert exported(servers, who) == before[who.user]
    time.sleep(1.1)  # the time in which the other instance notices what memory must forget
    for instance in INSTANCES:
        assert set(get_at(servers, gone, instance, left[gone.user]).values()) == {True}
        for who in others:
            assert set(get_at(servers, who, instance, left[who.user]).values()) == {False}
    check_logs(servers, people)


def check_logs(servers: Servers, people: tuple[Person, ...]) -> None:
    """The audit log says that it was done and to whom, and never knew what anybody asked."""
    gone = people[0]
    events = []
    for log in servers.logs:
        assert verify_audit_log(log, Sealer(servers.key)).is_whole
        written = log.read_text()
        assert not [who.mark for who in people if who.mark in written]
        events += [json.loads(line) for line in written.splitlines()]
    done = [event for event in events if event["event_type"] == "data.erasure" and event["user_id"] == gone.user]
    assert [(event["success"], event["metadata"]["actor"]) for event in done] == [(True, "admin")] * 2
