"""The methods of solve(), from the list of the library."""
import pathlib
import re

HEADER = pathlib.Path(__file__).resolve().parents[3] / "include" / "ddla" / "method.hpp"
METHODS = tuple(re.findall(r'USE\(\w+, "(\w+)"', HEADER.read_text()))
assert "bicgstab" in METHODS
