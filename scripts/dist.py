"""`make dist`: sdist, wheel, .mcpb bundle, list of parts (CycloneDX) and checksums in dist/, each of them checked.

python scripts/dist.py            # build and check what is in the files
python scripts/dist.py --install  # also install the wheel into empty environments and use it, with every Python found
python scripts/dist.py --install --python PATH   # with this one
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator
from email.parser import BytesParser
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from licences import licence_of
from packaging.metadata import Metadata
from packaging.utils import canonicalize_name

from wellsourced import __version__

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
LARGEST = 8 * 2**20
NEEDED = (
    "wellsourced/py.typed",
    "wellsourced/mcp/declarations.json",
    "wellsourced/api_methods.pyi",
    "wellsourced/main.py",
)
NEVER = re.compile(r"(^|/)(tests?|training|bench|\.env|\.git)(/|$)|__pycache__|\.pyc$")
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")
LOCKED = re.compile(r"^([A-Za-z0-9_.-]+)==([^ ;\\]+)(?:\s*;\s*([^\\]+))?")
HANDSHAKE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "dist", "version": "1"}},
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="install the wheel into empty environments and use it")
    parser.add_argument("--python", action="append", help="an interpreter to install it for; may be repeated")
    asked = parser.parse_args()
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "-d", str(DIST))
    wheel, source = only("*.whl"), only("*.tar.gz")
    problems = [*wheel_problems(wheel), *source_problems(source), *twine_problems(wheel, source)]
    build_bundle()
    write_parts_list()
    if asked.install:
        pythons = asked.python or found_pythons()
        problems += [problem for python in pythons for problem in try_wheel(wheel, python)]
    write_checksums()
    for problem in problems:
        print(f"dist: {problem}", file=sys.stderr)
    for file in sorted(DIST.iterdir()):
        print(f"{file.stat().st_size:>10,}  {file.name}")
    return 1 if problems else 0


def run(*command: str, **more: object) -> str:
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, **more)  # type: ignore[call-overload]  # noqa: S603
    return str(done.stdout)


def only(pattern: str) -> Path:
    (found,) = DIST.glob(pattern)
    return found


def wheel_problems(wheel: Path) -> Iterator[str]:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        described = archive.read(next(name for name in names if name.endswith(".dist-info/METADATA")))
    yield from content_problems(wheel, names)
    yield from (f"the wheel lacks {name}" for name in NEEDED if name not in names)
    yield from metadata_problems(described)


def source_problems(source: Path) -> Iterator[str]:
    with tarfile.open(source) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    yield from (f"the sdist lacks {name}" for name in ("pyproject.toml", "README.md", "LICENSE") if name not in names)


def content_problems(file: Path, names: list[str]) -> Iterator[str]:
    yield from (f"{file.name} holds {name}" for name in names if NEVER.search(name))
    if file.stat().st_size > LARGEST:
        yield f"{file.name} is larger than {LARGEST} bytes"


def metadata_problems(described: bytes) -> Iterator[str]:
    """What an index would refuse: fields that are wrong, a readme it cannot show, a version that is not ours."""
    parsed = Metadata.from_email(described, validate=True)
    if str(parsed.version) != __version__:
        yield f"the metadata says {parsed.version}, the package {__version__}"
    if BytesParser().parsebytes(described)["Description-Content-Type"] != "text/markdown":
        yield "the readme is not declared as markdown"


def twine_problems(*files: Path) -> Iterator[str]:
    """What the index itself would check; the package is installed by `make dist`, not by `make test`."""
    if find_spec("twine") is None:
        print("twine is not installed: its check is left out", file=sys.stderr)
        return
    command = [sys.executable, "-m", "twine", "--no-color", "check", "--strict", *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if ran.returncode:
        yield f"twine: {ran.stdout.strip()}"


def build_bundle() -> None:
    folder = ROOT / "deploy" / "mcpb"
    needed = f'[project]\nname = "wellsourced-bundle"\nversion = "{__version__}"\nrequires-python = ">=3.11"\n'
    needed += f'dependencies = ["wellsourced=={__version__}"]\n'
    with zipfile.ZipFile(DIST / f"wellsourced-{__version__}.mcpb", "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.write(folder / "manifest.json", "manifest.json")
        bundle.write(folder / "run.py", "run.py")
        bundle.writestr("pyproject.toml", needed)
        bundle.write(ROOT / "LICENSE", "LICENSE")


def write_parts_list() -> None:
    """A CycloneDX list of what `pip install wellsourced[redis,postgres]` brings, from the locked versions."""
    parts = [part_of(*found.groups()[:2]) for found in locked_requirements()]
    listed = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": part_of("wellsourced", __version__) | {"type": "application"}},
        "components": parts,
    }
    text = json.dumps(listed, indent=1, ensure_ascii=False) + "\n"
    (DIST / f"wellsourced-{__version__}.cdx.json").write_text(text, "utf-8")


def locked_requirements() -> list[re.Match[str]]:
    lines = (ROOT / "requirements" / "server.txt").read_text("utf-8").splitlines()
    lines += (ROOT / "requirements" / "run.txt").read_text("utf-8").splitlines()
    found = {found.group(1).lower(): found for line in lines if (found := LOCKED.match(line))}
    return [found[name] for name in sorted(found)]


def part_of(name: str, version: str) -> dict[str, object]:
    key = canonicalize_name(name)
    part = {"type": "library", "name": name, "version": version, "purl": f"pkg:pypi/{key}@{version}"}
    try:
        return {**part, "licenses": [{"license": {"name": licence_of(metadata.distribution(name))}}]}
    except metadata.PackageNotFoundError:
        return dict(part)


def write_checksums() -> None:
    files = sorted(file for file in DIST.iterdir() if file.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (DIST / "SHA256SUMS").write_text("".join(lines), "utf-8")


def found_pythons() -> list[str]:
    return [path for name in PYTHONS if (path := shutil.which(name)) and works(path)]


def works(python: str) -> bool:
    return subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True, check=False).returncode == 0  # noqa: S603


def try_wheel(wheel: Path, python: str) -> Iterator[str]:
    """Install into an empty environment, then version, demo, handshake and page, with nothing but the wheel.

    The search path holds the new environment alone, so there is neither make nor git nor a compiler, and pip may
    build nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True, env={"PATH": str(Path(python).parent)})  # noqa: S603
        scripts = Path(folder) / ("Scripts" if os.name == "nt" else "bin")
        environment = {"PATH": str(scripts), "HOME": folder, "CACHE_DIR": f"{folder}/data", **pip_settings()}
        pip = (str(scripts / "python"), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", str(wheel))
        run(*pip, env=environment)
        command = str(scripts / "wellsourced")
        if __version__ not in run(command, "--version", env=environment):
            yield f"{python}: the installed command has another version"
        run(command, "demo", "--exit", env=environment)
        if '"serverInfo"' not in run(command, env=environment, input=json.dumps(HANDSHAKE) + "\n"):
            yield f"{python}: no handshake"
        if "Wellsourced" not in first_page(command, environment):
            yield f"{python}: no page"
        print(f"{python}: installed, demo, handshake and page done")


def pip_settings() -> dict[str, str]:
    """Where packages come from on this machine, and what Windows cannot do without."""
    kept = ("SYSTEMROOT", "SSL_CERT_FILE", "HTTPS_PROXY", "TEMP")
    return {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name in kept}


def first_page(command: str, environment: dict[str, str]) -> str:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    line = [command, "serve", "--http", "--port", str(port)]
    with subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, text=True) as server:  # noqa: S603
        try:
            assert server.stderr is not None
            next((line for line in server.stderr if str(port) in line), None)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as reply:
                return str(reply.read().decode())
        except OSError:
            return ""
        finally:
            server.terminate()
            server.communicate()


if __name__ == "__main__":
    sys.exit(main())
