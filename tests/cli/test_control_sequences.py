"""Foreign text cannot command a terminal, however it arrives."""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.running import on_terminal, run
from tests.loopback.run import Internet
from wellsourced.cli.control_sequences import escape_control_characters, flatten_line, strip_control_sequences

OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
ATTACKS = {
    "colour": ("\x1b[31mred\x1b[0m", "red"),
    "cursor": ("a\x1b[2J\x1b[1;1Hb", "ab"),
    "title": ("\x1b]0;owned\x07text", "text"),
    "link": ("\x1b]8;;http://evil.example/\x1b\\click\x1b]8;;\x1b\\", "click"),
    "clipboard": ("\x1b]52;c;cm0gLXJmIH4=\x07x", "x"),
    "eight-bit": ("\x9b31mred\x9d0;owned\x9cx", "redx"),
    "device control": ("\x1bP1$r0m\x1b\\x", "x"),
    "unfinished": ("a\x1b]0;never ends", "a0;never ends"),
    "overwrite": ("safe\revil", "safe\nevil"),
    "backspace": ("ab\x08\x08c", "abc"),
    "direction": ("\u202egnp.exe\u202c", "gnp.exe"),
    "ordinary": ("Grüße, 你好, שלום\t1\nנ", "Grüße, 你好, שלום\t1\nנ"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_sequences_go_and_words_stay(name: str) -> None:
    attack, expected = ATTACKS[name]
    assert strip_control_sequences(attack) == expected


@given(st.text(alphabet=st.sampled_from("a[]P;\x07\x1b\x9b\x9d\x9c\\0m\r\n\x00é"), max_size=60))
def test_nothing_that_is_obeyed_remains(text: str) -> None:
    assert not OBEYED.search(strip_control_sequences(text))
    assert "\n" not in flatten_line(text)


@given(st.text(max_size=40))
def test_json_keeps_its_value(text: str) -> None:
    written = escape_control_characters(json.dumps({"x": text}, ensure_ascii=False))
    assert json.loads(written) == {"x": text}
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", written)


@pytest.mark.parametrize(
    "unit", ["\x1b]", "\x1b[", "\x1b[0;", "\x1bP0", "\x9d;", "\x1b]0;aaaaaaaaaaaaaaaaaaaaaaaaaaaa"]
)
def test_time_is_linear(unit: str) -> None:
    started = time.process_time()
    strip_control_sequences(unit * (1_000_000 // len(unit)))
    assert time.process_time() - started < 2


def hostile_results(base: str) -> str:
    attack = "".join(attack for attack, _ in ATTACKS.values())
    result = {"title": f"T{attack}", "content": f"S{attack}", "url": f"{base}/site/alpha/x", "engine": "bing"}
    return json.dumps({"query": "x", "results": [result], "unresponsive_engines": []})


def test_hostile_results_do_nothing_in_pipes_and_on_terminals(environment: dict[str, str], internet: Internet) -> None:
    internet.control("/searxng", body=hostile_results(internet.base), headers={"content-type": "application/json"})
    asked = ("search", "tides", "--engine", "searxng")
    for ran in (run(environment, *asked), run(environment, *asked, "--json")):
        assert ran.status == 0, ran
        assert "你好" in ran.out
        assert not OBEYED.search(ran.out + ran.err)
    shown = on_terminal(environment, *asked)
    assert "你好" in shown.out
    assert not re.search(r"\x1b[\]P]|\x9b|\x9d|\x1b\[2J|\u202e", shown.out)


def test_a_hostile_page_and_a_hostile_error_do_nothing(environment: dict[str, str], internet: Internet) -> None:
    words = "Water rises and falls twice a day on most coasts of the world. " * 20
    internet.control("/site/alpha/evil", body=f"<title>T</title><main><p>{words}\x1b]0;owned\x07\x9b31m</p></main>")
    environment |= {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    ran = run(environment, "read", f"{internet.base}/site/alpha/evil")
    assert ran.status == 0, ran
    assert "Water rises" in ran.out
    assert not OBEYED.search(ran.out + ran.err)
    raw = run(environment, "read", f"{internet.base}/site/alpha/evil", "--raw")
    assert "<p>Water" in raw.out
    assert not OBEYED.search(raw.out + raw.err)
    refused = run(environment, "search", "tides", "--engine", "\x1b]0;owned\x07brave\x1b[31m")
    assert refused.status == 2
    assert not OBEYED.search(refused.err)
