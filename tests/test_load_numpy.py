"""numpy loaded without its documentation and types calculates as it does otherwise, in one thread."""

import subprocess
import sys

WORK = """
import os, sys
from wellsourced.load_numpy import load_numpy
from wellsourced.sandbox import reading
if sys.argv[1] == "lean":
    load_numpy()
page = reading.extract_page(reading.EXAMPLE_PAGE.encode(), "https://example.org/", "text/html")
import numpy
result = numpy.linalg.eigh(numpy.ones((3, 3))).eigenvalues.round(6).tolist()
left_out = "numpy._typing" not in sys.modules
import numpy.typing
assert numpy.typing.NDArray[int] and numpy.random.default_rng(1).random() < 1 and numpy.ma.array([1])
threads = len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 1
print(page, result, sep="\\n")
print(left_out, threads)
"""


def run(how: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", WORK, how], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_numpy_without_what_is_not_used_calculates_alike() -> None:
    (*plain, _), (*lean, loaded) = run("plain"), run("lean")
    assert lean == plain
    assert loaded == "True 1"
