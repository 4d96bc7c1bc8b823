"""The examples of docs/python.md that need a GPU and a library."""
import pathlib
import re

import pytest

from device_libraries import require_device

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "python.md"


def section():
    """The examples of the page that need a device."""
    text = PAGE.read_text(encoding="utf-8")
    part = re.search(r"^## On a device$(.*?)^## ", text, re.DOTALL | re.MULTILINE)[1]
    return re.findall(r"^```python\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("example", section(), ids=lambda text: text.split()[1])
def test_examples_of_the_page(example):
    require_device()
    for name in re.findall(r"^import (\w+)", example, re.MULTILINE):
        pytest.importorskip(name, reason=f"there is no {name}")
    names = {}
    exec(compile(example, str(PAGE), "exec"), names)
    assert names["result"].converged
