"""What the pages of a repository need to be those of a site: links to folders and manual pages, and
the manual pages themselves."""
import os
import pathlib
import re
import subprocess

from docutils import nodes
from docutils.parsers.rst import Directive

LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\(([^)#\s:]+)(#[\w-]*)?\)")
# Pages that stand for what is none, from the top of the repository.
PAGES = {"docs/ddla.1": "docs/api/command.md", "docs/ddla-validate.1": "docs/api/validate-command.md",
         "bench/results": "docs/performance.md"}


def mend_links(app, name, text):
    """Links to folders lead to their README.md; without one the words stay."""
    top = pathlib.Path(app.srcdir)
    folder = (top / name).parent

    def mend(match):
        words, target, place = match[1], match[2], match[3] or ""
        there = (folder / target).resolve()
        page = PAGES.get(os.path.relpath(there, top))
        if page:
            return f"[{words}]({os.path.relpath(top / page, folder)}{place})"
        if not there.is_dir():
            return match[0]
        has_page = (there / "README.md").is_file()
        return f"[{words}]({target.rstrip('/')}/README.md)" if has_page else words

    text[0] = LINK.sub(mend, text[0])


class Manual(Directive):
    """A manual page of docs/, as mandoc shows it; with all options where a build has made it."""

    required_arguments = 1

    def run(self):
        config = self.state.document.settings.env
        made = pathlib.Path(config.srcdir) / "build" / "manual" / self.arguments[0]
        file = made if made.is_file() else pathlib.Path(config.srcdir) / "docs" / self.arguments[0]
        config.note_dependency(str(file))
        done = subprocess.run(["mandoc", "-Wwarning", "-T", "html", "-O", "fragment", str(file)], check=True,
                              capture_output=True, text=True)
        # The page has a heading of its own; its sections come one level below.
        text = re.sub(r"<(/?)h(\d)", lambda m: f"<{m[1]}h{int(m[2]) + 1}", done.stdout)
        return [nodes.raw("", f'<div class="manual">{text}</div>', format="html")]


def setup(app):
    app.connect("source-read", mend_links)
    app.add_directive("manual", Manual)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
