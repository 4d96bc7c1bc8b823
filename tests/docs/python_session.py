"""Runs the blocks of a page in one session: those with >>> as doctests, others as statements.

The argument has them with their lines, a form feed between; a failure is printed between \\x01LINE
and \\x02.
"""
import doctest
import io
import sys
import traceback

names = {"__name__": "__main__"}
failed = False
for part in sys.argv[1].split("\n\f\n"):
    line, text = part.split("\n", 1)
    said = io.StringIO()
    if ">>> " in text:
        test = doctest.DocTestParser().get_doctest(text, names, "page", "page", int(line))
        runner = doctest.DocTestRunner()
        runner.run(test, out=said.write, clear_globs=False)
        names.update(test.globs)
        wrong = runner.failures > 0
    else:
        try:
            exec(compile(text, f"block at line {line}", "exec"), names)
            wrong = False
        except Exception:  # noqa: BLE001: whatever it is, it is the result of the test
            traceback.print_exc(file=said)
            wrong = True
    if wrong:
        failed = True
        print(f"\x01{line}\n{said.getvalue()}\n\x02")
sys.exit(failed)
