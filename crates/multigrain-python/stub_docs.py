"""Puts the docstrings of the compiled module into its stub, so that editors show them.

python crates/multigrain-python/stub_docs.py           # writes python/multigrain/_core.pyi
python crates/multigrain-python/stub_docs.py --check    # an error where it is not what it should be
"""

import ast
import inspect
import pathlib
import sys

from multigrain import _core

STUB = pathlib.Path(__file__).parent / "python" / "multigrain" / "_core.pyi"


def with_docs(text: str) -> str:
    """The stub with the docstrings that the module has now."""
    lines = text.splitlines()
    # From the end, so that places before stay what they are.
    for node, thing in reversed(list(documented(ast.parse(text)))):
        doc = inspect.getdoc(thing)
        if doc is None:
            continue
        first = node.body[0]
        has_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
        indent = " " * (node.col_offset + 4)
        quoted = [indent + line if line else "" for line in f'r"""{doc}\n"""'.splitlines()]
        if "\n" not in doc:
            quoted = [f'{indent}r"""{doc}"""']
        begin = first.lineno - 1
        if has_doc:
            lines[begin : first.end_lineno] = quoted
        elif isinstance(first, ast.Expr) and first.value.value is ...:
            # The dots of a signature stand on its last line.
            lines[begin : begin + 1] = [lines[begin][: first.col_offset].rstrip(), *quoted]
        else:
            # Decorators belong to what they decorate.
            begin = min([begin, *(decorator.lineno - 1 for decorator in getattr(first, "decorator_list", []))])
            lines[begin:begin] = quoted
    return "\n".join(lines) + "\n"


def documented(stub: ast.Module):
    """Everything public in the stub that the module has, with what it is there; in the order of the stub."""
    for node in stub.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and is_first(node, stub.body):
            yield node, getattr(_core, node.name)
        elif isinstance(node, ast.ClassDef):
            kind = getattr(_core, node.name)
            yield node, kind
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("_") and is_first(member, node.body):
                    thing = inspect.getattr_static(kind, member.name)
                    yield member, thing.__func__ if isinstance(thing, staticmethod) else thing


def is_first(node: ast.FunctionDef, among: list[ast.stmt]) -> bool:
    """Whether it is the first of its name: overloads and setters have no text of their own."""
    return node is next(other for other in among if isinstance(other, ast.FunctionDef) and other.name == node.name)


if __name__ == "__main__":
    before = STUB.read_text()
    after = with_docs(before)
    if sys.argv[1:] == ["--check"]:
        sys.exit(None if after == before else "error: docstrings of the stub are not those of the module\nhint: run crates/multigrain-python/stub_docs.py")
    STUB.write_text(after)
