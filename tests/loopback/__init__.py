"""A small internet on 127.0.0.1: upstreams and web sites over real HTTP, for tests of the whole system.

Answers are made from the query's text alone, so the same question always gets the same answer, and every result
points at a page that the loopback serves itself. A query with the word `nothing` finds nothing, in the upstream's
own way of saying so; `outage` makes SearXNG report that all its engines are down.

Test code changes how a part of it behaves with `Internet.control` (see `behaviour.py` for what can be asked for) and
looks at what arrived with `Internet.stats`. The fixture `internet` starts one and resets it before every test.

To add an upstream, add one file to `upstreams/` with an `UPSTREAM` (see `upstream.py`): its path prefix, the
environment variables that point our server at it, and its Starlette routes. Nothing else has to be changed. The keys it
accepts are apart (`keys`): only tests that take the fixture `keyed_environment` have them.
"""
