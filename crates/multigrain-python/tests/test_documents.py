"""What documents show is true: docstrings, the README, the manual, stubs, examples."""

import doctest
import inspect
import os
import pathlib
import re
import subprocess
import sys

import matplotlib.pyplot as plt
import pytest

import multigrain as mg

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))
# Classes that searches and tuning return: what makes them has the example.
RESULTS = {"Closest", "Features", "Overlap", "Tuning", "View", "Work"}


def documented():
    """Everything public, with its path."""
    modules = [("multigrain", mg), ("multigrain.plot", mg.plot)]
    modules += [(f"multigrain.{name}", module) for name, module in vars(mg).items()
                if inspect.ismodule(module) and name in mg.__all__ and name != "plot"]
    for path, module in modules:
        yield path, module
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.ismodule(thing):
                continue
            yield f"{path}.{name}", thing
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if not member.startswith("_"):
                        yield f"{path}.{name}.{member}", value


THINGS = dict(documented())


@pytest.mark.parametrize("path", THINGS)
def test_docstrings_exist_and_their_examples_hold(path):
    text = inspect.getdoc(THINGS[path])
    assert text, f"{path} has no docstring"
    thing = THINGS[path]
    if inspect.isroutine(thing) and path.count(".") == 1 or (inspect.isclass(thing) and thing.__name__ not in RESULTS):
        assert ">>>" in text, f"{path} has no example"
    test = doctest.DocTestParser().get_doctest(text, {}, path, path, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(test)
    plt.close("all")
    assert runner.summarize(verbose=False).failed == 0


def blocks(path):
    return re.findall(r"^```python\n(.*?)^```", path.read_text(), re.S | re.M)


def test_the_example_of_the_readme_runs():
    found = blocks(ROOT / "README.md")
    assert len(found) >= 1
    for block in found:
        assert len(block.splitlines()) <= 12
        exec(compile(block, "README.md", "exec"), {})


def test_the_examples_of_the_manual_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = blocks(ROOT / "docs" / "python.md")
    assert len(found) >= 5
    shared = {}
    for block in found:
        exec(compile(block, "python.md", "exec"), shared)
    plt.close("all")


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run_and_draw(script, tmp_path):
    picture = tmp_path / "picture.png"
    ended = subprocess.run([sys.executable, str(script), str(picture)], check=True, timeout=300, stdout=subprocess.PIPE,
                          text=True, env={**os.environ, "MPLBACKEND": "Agg"})
    assert ended.stdout != ""
    assert picture.stat().st_size > 10_000
    shown = ROOT / "docs" / "pictures" / f"python-{script.stem.replace('_', '-')}.png"
    assert shown.exists(), f"the picture of {script.name} is missing in the documents"


def test_the_package_shows_what_is_public_alone():
    assert [name for name in dir(mg) if not name.startswith("__")] == sorted(mg.__all__)
    assert "__version__" in dir(mg)


def test_there_are_three_examples():
    assert len(EXAMPLES) >= 3


def test_stubs_have_the_docstrings_of_the_module():
    check = subprocess.run([sys.executable, str(ROOT / "crates" / "multigrain-python" / "stub_docs.py"), "--check"],
                           capture_output=True, text=True, timeout=300)
    assert check.returncode == 0, check.stderr


def test_stubs_are_those_of_the_package():
    check = subprocess.run([sys.executable, "-m", "mypy.stubtest", "multigrain", "--ignore-disjoint-bases"],
                           capture_output=True, text=True, timeout=300)
    assert check.returncode == 0, check.stdout + check.stderr
