"""Who sees what of whom, on the instance where it was made and on the other."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import pytest

from tests.many_users.server import INSTANCES, Person, Servers, message
from wellsourced.storage.library.store import document_id

Circle: TypeAlias = Literal["self", "members"]
WORKSPACE = "labor-実験"
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


@dataclass(frozen=True)
class Kind:
    """`make` has the owner leave something at an instance, and gives what another would need to get at it; `sees` says
    whether the asker gets it."""

    circle: Circle
    make: Callable[[Servers, Person, int], str]
    sees: Callable[[Servers, Person, int, str], bool]


def begun(servers: Servers, owner: Person, instance: int) -> str:
    step = {"searchStep": owner.mark, "researchGoal": owner.mark, "stepNumber": 1, "nextStepNeeded": True}
    return str(servers.call(owner, 0, "sequential_search", **step).content["sessionId"])


def reads_session(servers: Servers, asker: Person, instance: int, session: str) -> bool:
    response = [
        servers.call(asker, instance, "get_research_session", sessionId=session),
        servers.call(asker, instance, "research_export", sessionId=session),
    ]
    assert all(answer.is_error for answer in response) or not any(answer.is_error for answer in response)
    assert not response[0].is_error or "session_not_found" in response[0].text, response[0].text
    return not response[0].is_error


def goes_on(servers: Servers, asker: Person, instance: int, session: str) -> bool:
    step = {"searchStep": "intrusion", "stepNumber": 2, "nextStepNeeded": True, "sessionId": session}
    return not servers.call(asker, instance, "sequential_search", **step).is_error


def linked(servers: Servers, owner: Person, instance: int) -> str:
    response = servers.call(owner, 0, "scrape_page", url=address(servers, owner), mode="raw")
    return str(response.content["resource"])


def opens(servers: Servers, asker: Person, instance: int, uri: str) -> bool:
    return not servers.read(asker, instance, uri).is_error


def remembered(servers: Servers, owner: Person, instance: int) -> str:
    servers.agree(owner)
    assert servers.call(owner, 0, "memory_save", note=f"note {owner.mark}", topic="all").content["status"] == "ok"
    return owner.mark


def recalls(servers: Servers, asker: Person, instance: int, mark: str) -> bool:
    response = [
        servers.call(asker, instance, "memory_recall", **asked) for asked in ({}, {"query": mark}, {"topic": "all"})
    ]
    return any(mark in str(answer.content["memories"]) for answer in response)


def shared(servers: Servers, owner: Person, instance: int) -> str:
    servers.agree(owner)
    workspace = f"{WORKSPACE}-{owner.tenant[-6:]}"
    if is_member(owner):
        servers.admin("POST", "/admin/workspace/members", {**owner.names, "workspace_id": workspace})
    response = servers.call(owner, 0, "workspace_contribute", workspace_id=workspace, note=owner.mark)
    assert response.content["status"] == ("ok" if is_member(owner) else "not_member")
    return f"{workspace} {owner.mark}"


def reads_workspace(servers: Servers, asker: Person, instance: int, thing: str) -> bool:
    workspace, mark = thing.split()
    return mark in servers.call(asker, instance, "workspace_read", workspace_id=workspace).text


def is_member(who: Person) -> bool:
    return not who.user.startswith("ben")


def counted(servers: Servers, owner: Person, instance: int) -> str:
    servers.agree(owner)
    assert servers.call(owner, 0, "memory_recall").content["status"] == "ok"
    assert servers.call(owner, 0, "get_my_analytics").content["status"] == "ok", "it waits for what is being counted"
    return owner.user


def sees_counts(servers: Servers, asker: Person, instance: int, user: str) -> bool:
    return user in servers.call(asker, instance, "get_my_analytics").text


def failed(servers: Servers, owner: Person, instance: int) -> str:
    """Each instance remembers its own errors."""
    assert servers.call(owner, instance, "web_search", query="x", provider=owner.mark).is_error
    return owner.mark


def reads_errors(servers: Servers, asker: Person, instance: int, mark: str) -> bool:
    """In any of the resources there are."""
    listed = servers.ask(asker, instance, "resources/list").message["result"]["resources"]
    assert len(listed) > 5
    return any(mark in servers.read(asker, instance, entry["uri"]).text for entry in listed)


def collected(servers: Servers, owner: Person, instance: int) -> str:
    """Each instance has a library of its own here."""
    servers.call(owner, instance, "scrape_page", url=address(servers, owner)).content  # noqa: B018
    return address(servers, owner)


def finds(servers: Servers, asker: Person, instance: int, url: str) -> bool:
    """By its words and by its id; the web has its own pages for the words, but not this one."""
    by_id = servers.call(asker, instance, "fetch", id=document_id(url))
    by_words = servers.call(asker, instance, "search", query=url.rpartition("/")[2])
    found = [result["url"] for result in by_words.content["results"]]
    assert (url in found) == (not by_id.is_error), (found, by_id.text)
    return url in found


def greeted(servers: Servers, owner: Person, instance: int) -> str:
    return servers.post(owner, instance, message("initialize", HELLO), {}).headers["mcp-session-id"]


def joins(servers: Servers, asker: Person, instance: int, session: str) -> bool:
    response = servers.post(asker, instance, message("ping", {}), {"mcp-session-id": session})
    assert response.status in {200, 404}
    return response.status == 200


def address(servers: Servers, owner: Person) -> str:
    return f"{servers.internet.base}/site/alpha/{owner.mark}"


KINDS = {
    "a research session": Kind("self", begun, reads_session),
    "a step in a research session": Kind("self", begun, goes_on),
    "a large answer kept as a resource": Kind("self", linked, opens),
    "memory": Kind("self", remembered, recalls),
    "a workspace": Kind("members", shared, reads_workspace),
    "analytics": Kind("self", counted, sees_counts),
    "recent errors": Kind("self", failed, reads_errors),
    "the library": Kind("self", collected, finds),
    "an MCP session": Kind("self", greeted, joins),
}


def may_see(circle: Circle, owner: Person, asker: Person) -> bool:
    if circle == "members":
        return is_member(owner) and is_member(asker)
    return owner == asker


@pytest.mark.parametrize("instance", INSTANCES, ids=["here", "elsewhere"])
@pytest.mark.parametrize("name", KINDS)
def test_everybody_sees_exactly_what_is_theirs_to_see(servers: Servers, name: str, instance: int) -> None:
    kind, people = KINDS[name], servers.people()
    left = {owner.user: kind.make(servers, owner, instance) for owner in people}
    pairs = [(owner, asker) for owner in people for asker in people]
    seen = {(o.user, a.user) for o, a in pairs if kind.sees(servers, a, instance, left[o.user])}
    assert seen == {(o.user, a.user) for o, a in pairs if may_see(kind.circle, o, a)}


def test_a_kept_answer_is_its_tenants_on_both_instances(servers: Servers) -> None:
    """Upstream is asked again exactly when another tenant asks; the same question at the same time is one run."""
    people = servers.people()
    for instance in INSTANCES:
        for owner in people:
            for asker in people:
                question = f"{owner.mark} {secrets.token_hex(4)}"
                first = servers.call(owner, 0, "web_search", query=question).content
                before = servers.internet.requests("/searxng")
                again = servers.call(asker, instance, "web_search", query=question).content
                was_asked = servers.internet.requests("/searxng") > before
                assert was_asked == (owner.tenant != asker.tenant), (owner.user, asker.user, instance)
                assert again["resultCount"] == first["resultCount"]


def test_no_resource_names_another_tenant_or_its_people(servers: Servers) -> None:
    one, two, other = servers.people()
    for who in (one, two, other):
        for instance in INSTANCES:
            servers.call(who, instance, "web_search", query=who.mark)
            servers.call(who, instance, "web_search", query=who.mark, provider="no-such")
    for instance in INSTANCES:
        listed = servers.ask(other, instance, "resources/list").message["result"]["resources"]
        shown = "".join(servers.read(other, instance, entry["uri"]).text for entry in listed)
        assert other.tenant in shown
        assert not [word for who in (one, two) for word in (who.tenant, who.user, who.mark) if word in shown]
