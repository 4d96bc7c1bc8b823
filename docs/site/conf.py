"""How Sphinx makes the site: scripts/build-docs runs it with the top of the repository as source,
so that the pages are the files that are read there, and links between them hold in both."""
import os
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "docs/site"), str(root / "bindings/python")]

project = "ddla"
author = "the authors of ddla"
project_copyright = "the authors of ddla"
release = re.search(r"project\(ddla VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text())[1]
version = ".".join(release.split(".")[:2])

extensions = ["breathe", "myst_parser", "sphinx.ext.autodoc", "repository_pages"]
root_doc = "docs/index"
include_patterns = ["docs/**.md", "bench/**.md", "examples/README.md", "tests/fuzz/README.md",
                    "CONTRIBUTING.md", "CHANGELOG.md"]
exclude_patterns = ["build*", ".git"]
nitpicky = True
# Types of the standard library, and what only the headers themselves have.
nitpick_ignore_regex = [(r"(c|cpp):.*", ".*"), (r"py:.*", ".*")]
toc_object_entries = False  # the tree of pages is on each: it would hold every member of every class
highlight_language = "none"
default_role = "code"

myst_enable_extensions = ["colon_fence", "strikethrough"]
myst_heading_anchors = 4

# The extension module and what it computes with are not needed to read docstrings.
autodoc_mock_imports = ["ddla._core"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": False}
python_use_unqualified_type_names = True
maximum_signature_line_length = 80

doxygen = pathlib.Path(os.environ["DDLA_DOXYGEN_XML"])
breathe_projects = {"cpp": str(doxygen / "cpp/xml"), "c": str(doxygen / "c/xml")}
breathe_default_project = "cpp"
breathe_domain_by_extension = {"hpp": "cpp", "h": "c"}
# Namespace ddla comes once for each header; the site is HTML, which has lines through text.
suppress_warnings = ["duplicate_declaration.cpp", "myst.strikethrough"]
breathe_show_include = False
breathe_default_members = ("members",)
# Macros of the headers that stand in declarations.
cpp_id_attributes = c_id_attributes = ["DDLA_HD"]

html_theme = "furo"
html_title = f"ddla {release}"
html_static_path = ["style"]
html_css_files = ["ddla.css"]
html_favicon = "style/ddla.svg"
html_extra_path = ["top"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
