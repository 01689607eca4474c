"""What to say when a package that we need cannot be loaded: which, on which system, and what helps."""

from __future__ import annotations

import sys

OWN = "wellsourced"
ON_INTEL_MACS = "On Intel Macs it has to be built: run xcode-select --install and install again, or use the container."
ON_WINDOWS_ARM = "On Windows for ARM, install the x64 edition of Python and Wellsourced with it."
ELSEWHERE = "Install again into a new environment with this Python."


def sentence_about(problem: ImportError) -> str | None:
    """None where it is not about another package but a mistake of ours. The loader's own words may hold paths."""
    package = (problem.name or "").partition(".")[0]
    if package in ("", OWN):
        return None
    import platform

    system, machine = platform.system(), platform.machine()
    python = ".".join(map(str, sys.version_info[:2]))
    return (
        f"The package {package}, which Wellsourced needs, cannot be loaded on this system ({system}, {machine}, Python "
        f"{python}). {advice(system, machine)} docs/systems.md lists what is ready-made where."
    )


def advice(system: str, machine: str) -> str:
    if system == "Darwin" and machine == "x86_64":
        return ON_INTEL_MACS
    return ON_WINDOWS_ARM if system == "Windows" and machine.upper() == "ARM64" else ELSEWHERE
