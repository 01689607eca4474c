"""XML from services: sound, broken and hostile."""

from __future__ import annotations

import pytest

from wellsourced.errors import UpstreamChanged
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_at, text_of

BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>'


def test_namespaces_go_and_inner_markup_is_read() -> None:
    root = parse_xml(b'<f xmlns="u:a" xmlns:o="u:b"><o:t k="v">The <i>APOE</i>\n locus &#x3b2;</o:t></f>')
    assert (root.tag, text_at(root, "t"), root[0].get("k")) == ("f", "The APOE locus β", "v")
    assert (text_at(root, "none"), text_of(None), text_at(None, "t")) == ("", "", "")


def test_a_named_document_type_is_not_loaded() -> None:
    root = parse_xml(b'<!DOCTYPE a PUBLIC "-//X//EN" "https://example.invalid/x.dtd"><a>x&nbsp;&eacute;&foo;</a>')
    assert text_of(root) == "x é"
    assert text_of(parse_xml(b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>ok</a>')) == "ok"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<a>",
        b"<html><br></html>",
        b'{"error": 1}',
        b"\xff\xfe\x00",
        b"<a>\x00</a>",
        b'<?xml version="1.0" encoding="nonsense"?><a/>',
        BOMB.encode(),
        f'<?xml version="1.0" encoding="UTF-16"?>{BOMB}'.encode("utf-16"),
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        b"<a>" * 5000 + b"</a>" * 5000,
    ],
)
def test_whatever_is_not_sound_is_not_understood(body: bytes) -> None:
    with pytest.raises(UpstreamChanged):
        parse_xml(body)
