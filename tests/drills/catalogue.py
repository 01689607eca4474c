"""Every drill by name, in the order of the page, with the fault it makes."""

from __future__ import annotations

CATALOGUE: dict[str, str] = {
    "engine-stalls": "A search engine takes the question and never answers",
    "engine-drips": "A search engine answers one byte at a time, without end",
    "engine-resets": "A search engine resets the connection",
    "engine-half-body": "A search engine hangs up in the middle of its answer",
    "engine-not-http": "A search engine answers in another protocol",
    "engine-falls-over": "The first search engine is down and there is a second one",
    "page-stalls": "A web site takes the request and never answers",
    "page-drips": "A web site sends its page one byte at a time, without end",
    "page-resets": "A web site resets the connection",
    "page-half-body": "A web site hangs up in the middle of its page",
    "page-wrong-length": "A web site announces less than it sends",
    "page-redirects-in-circles": "A web site redirects without end",
    "page-unpacks-to-gigabytes": "A page of a megabyte that unpacks to a gigabyte",
    "page-self-signed": "A web site has a certificate that nobody vouches for",
    "name-rebinds": "A name leads to a public address first and to a private one later",
    "disk-full": "The disk is full",
    "disk-read-only": "The data folder cannot be written to",
    "database-page-damaged": "Pages of the database file are overwritten while the server is down",
    "redis-gone-and-back": "Redis is killed, and comes back",
    "process-killed": "The server is killed with a signal that cannot be caught",
    "terminated-in-flight": "The server gets SIGTERM while a call is under way",
    "reader-killed": "The process that reads a document is killed",
    "reader-out-of-memory": "A document needs more memory than its reader may use",
    "browser-killed": "The browser is killed while it reads a page",
    "clock-a-day-ahead": "The clock jumps forward by a day",
    "clock-an-hour-back": "The clock jumps back by an hour",
    "idle-connections": "Clients open connections by the thousand and say nothing",
}
