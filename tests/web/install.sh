#!/usr/bin/env bash
# Fetches axe-core, which looks at the workbench for people who cannot see or point, into .tools/axe, from whichever
# npm registry the machine is set to use. Does nothing when it is there.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version=4.14.0
if grep -qs "\"version\": \"$version\"" .tools/axe/node_modules/axe-core/package.json; then
  exit 0
fi
mkdir -p .tools/axe
npm install --prefix .tools/axe --no-save --no-package-lock --no-audit --no-fund --loglevel=error "axe-core@$version"
