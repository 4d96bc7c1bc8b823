"""Every command line whose output is kept: a group, a name and the arguments, one tuple each."""
import pathlib
import re

HEADER = pathlib.Path(__file__).resolve().parents[2] / "include" / "ddla" / "method.hpp"
#: Those that stood here first, in the order of what is kept, then others of the library's list.
METHODS = "auto refine gmres bicgstab bicgstabl idr cg minres lsmr".split()
METHODS += [name for name in re.findall(r'USE\(\w+, "(\w+)"', HEADER.read_text())
            if name not in METHODS and name != "fgmres"]  # which is gmres, too
PRECONDITIONERS = "none auto jacobi lu ilu ilut ic block_jacobi polynomial".split()
FORMATS = "auto csr crs_scalar crs_vector crs_t evc_hyb slices tiles patterns".split()
COMMANDS = "solve check tune spmv info generate devices completion help".split()
KINDS = "poisson2d poisson3d convection-diffusion toeplitz hilbert-like random skewed".split()
REFUSED = ("empty no_banner bad_banner bad_size bad_index bad_value nan overflow too_few too_many "
           "upper missing").split()

#: Each option of a solve by itself: what follows `solve --method`.
SOLVE_OPTIONS = """
auto two.mtx
auto two.mtx.gz --quiet
auto two.mtx --report r.json --output x.mtx
auto two.mtx --rhs columns_b.mtx --report r.json --output x.mtx
auto 494_bus.mtx --digits 20
auto 494_bus.mtx --digits 31.5
auto 494_bus.mtx --digits 40
auto 494_bus.mtx --digits 50 --solution-words 4 --output x.mtx
auto 494_bus.mtx --normwise
auto 494_bus.mtx --tol 1e-20
auto 494_bus.mtx --factors double
auto 494_bus.mtx --factors dd --report r.json
auto 494_bus.mtx --ordering natural
auto 494_bus.mtx --ordering amd
auto 494_bus.mtx --ordering colamd
auto 494_bus.mtx --ordering rcm
auto 494_bus.mtx --ordering multicolour
auto oscil_dcop_24.mtx --scale none
auto oscil_dcop_24.mtx --match none
auto oscil_dcop_24.mtx --scale none --match none
auto oscil_dcop_24.mtx --precision both --report r.json --plot h.svg
auto oscil_dcop_24.mtx --certify --report r.json
auto hilbert10.mtx --certify --report r.json --output x.mtx
auto hilbert14.mtx --precision both
auto hilbert14.mtx --precision double
auto hilbert14.mtx --solution-words 4 --digits 40
auto 494_bus.mtx --most-work 1e-8
auto 494_bus.mtx --most-memory 1000
auto 494_bus.mtx --most-work 1e-8 --precond auto --report r.json
auto grid.mtx --most-work 1e-8 --max-iterations 5
auto zeros.mtx --rhs zeros_b.mtx --report r.json --output x.mtx
auto zeros.mtx --rhs zeros_b.mtx --solution-words 4 --output x.mtx
auto singular.mtx --report r.json
auto singular.mtx --rhs singular_b.mtx --report r.json --output x.mtx
auto zero_row.mtx --report r.json
auto indefinite.mtx
auto skew.mtx
auto fit.mtx --rhs fit_b.mtx --report r.json --output x.mtx
auto fit.mtx --rhs fit_exact_b.mtx
auto wide.mtx --rhs wide_b.mtx --output x.mtx
auto complex.mtx --rhs complex_b.mtx --report r.json --output x.mtx
auto hermitian.mtx
auto pattern.mtx
auto integer.mtx
auto ranged.mtx --report r.json
auto two.mtx --rhs tiny_b.mtx --output x.mtx
auto underflow.mtx --report r.json
auto tenths.mtx --rhs decimals_b.mtx --report r.json
auto tenths.mtx --rhs decimals_b.mtx --values dd
auto tenths.mtx --rhs decimals_b.mtx --rhs-values dd
auto tenths.mtx --rhs A*ones --guess wrong_x.mtx
auto grid.mtx --place host --threads 1 --format tiles
auto grid.mtx --dry-run --output x.mtx
auto fit.mtx --rhs fit_b.mtx --dry-run --json
auto 494_bus.mtx --dry-run --factors double --certify --precision double
auto hilbert14.mtx --dry-run --solution-words 4 --digits 40
refine 494_bus.mtx --precond ic --dry-run --json --report r.json
bicgstab two.mtx --precond jacobi --dry-run
bicgstab zero_row.mtx --precond jacobi --dry-run
auto two.mtx --json
refine 494_bus.mtx --precond ilu --report r.json
refine 494_bus.mtx --precond ic
refine grid.mtx --precond jacobi --max-iterations 3
refine hilbert14.mtx --digits 30
refine singular.mtx
gmres wind.mtx --restart 10 --history h.csv --plot h.svg
gmres toeplitz.mtx --max-iterations 3 --report r.json
gmres singular.mtx
bicgstab toeplitz.mtx --tol 1e-25 --precision both --report r.json --history h.csv --output x.mtx
bicgstab toeplitz.mtx --digits 10
bicgstab toeplitz.mtx --normwise
bicgstab 494_bus.mtx --precision both --max-iterations 400
bicgstab skew.mtx
bicgstab fit.mtx --rhs fit_b.mtx
bicgstab complex.mtx --rhs complex_b.mtx
bicgstab two.mtx --rhs columns_b.mtx --report r.json
bicgstabl toeplitz.mtx --l 4
idr toeplitz.mtx --s 2
cg 494_bus.mtx --precision both --report r.json
cg indefinite.mtx
cg wind.mtx
cg long.mtx --precond ic
cg long.mtx --precond polynomial --polynomial chebyshev --degree 6
cg grid.mtx --tol 1e-25 --precond auto --report r.json
minres indefinite.mtx --report r.json
minres wind.mtx
lsmr fit.mtx --rhs fit_b.mtx --report r.json
lsmr wide.mtx --rhs wide_b.mtx
lsmr 494_bus.mtx --max-iterations 20
bicgstab wind.mtx --precond ilu --fill 2
bicgstab wind.mtx --precond ilut --fill 5 --drop 0.01
bicgstab wind.mtx --precond block_jacobi --block-rows 512
bicgstab indefinite.mtx --precond ilu --pivots refuse
bicgstab indefinite.mtx --precond ilu --pivots shift
bicgstab wind.mtx --precond lu --report r.json
"""

#: What is refused as usage, or as input that does not fit.
WRONG = """
solve
solve two.mtx --nothing
solve two.mtx --tol x
solve two.mtx --tol -1
solve two.mtx --digits 0
solve two.mtx --digits 1000
solve two.mtx --method qmr
solve two.mtx --precond amg
solve two.mtx --precision quad
solve two.mtx --format ell
solve two.mtx --ordering metis
solve two.mtx --place moon
solve two.mtx --threads 0
solve two.mtx --max-iterations -3
solve two.mtx --restart 0 --method gmres
solve two.mtx --block-rows 100 --method cg --precond block_jacobi
solve two.mtx --values dd --precision double
solve two.mtx --rhs long_x.mtx
solve two.mtx --rhs complex_b.mtx
solve two.mtx --rhs list.txt
solve two.mtx --guess long_x.mtx
solve two.mtx --output no/such/folder/x.mtx
solve two.mtx --report no/such/folder/r.json
solve two.mtx --solution-words 3
solve two.mtx --solution-words 4 --method cg
solve two.mtx --fill 2
solve two.mtx --restart 3 --method cg
solve two.mtx --precond ilu
solve two.mtx --format csr --method refine
solve two.mtx --rhs-values dd
solve two.mtx --most-memory 8GB
solve - --rhs -
help slove
slove two.mtx
solve cut.mtx.gz
solve two.mtx --verbose --quiet
check two.mtx
check two.mtx long_x.mtx
check two.mtx right_x.mtx --solution-words 5
info
info two.mtx three.mtx
spmv two.mtx --x long_x.mtx
tune
generate
generate klein
generate poisson2d
generate poisson2d -4
completion fish
nothing
"""

CHECKS = """
two.mtx right_x.mtx
two.mtx right_x.mtx --digits 25 --report r.json
two.mtx right_x.mtx --solution-words 4 --digits 40
two.mtx right_x.mtx --certify
two.mtx wrong_x.mtx --report r.json
two.mtx wrong_x.mtx --digits 3 --quiet
two.mtx zero_x.mtx
two.mtx zero_x.mtx --rhs zero_x.mtx
two.mtx right_x.mtx --normwise
fit.mtx fit_x.mtx --rhs fit_b.mtx --report r.json
singular.mtx long_x.mtx --rhs singular_b.mtx
zeros.mtx long_x.mtx --rhs zeros_b.mtx
complex.mtx complex_b.mtx --rhs complex_b.mtx
"""

VALIDATES = """
two.mtx
two.mtx --report r.json --html r.html
hilbert14.mtx --precision both
oscil_dcop_24.mtx --precision double
494_bus.mtx --method bicgstab --max-iterations 400
two.mtx --solution right_x.mtx --digits 30
two.mtx --solution wrong_x.mtx
zeros.mtx --rhs zeros_b.mtx
singular.mtx
fit.mtx --rhs fit_b.mtx
complex.mtx
two.mtx --solution right_x.mtx --fill 3
two.mtx --nothing
"""


def lines(text):
    return [line.split() for line in text.strip().splitlines()]


def solves():
    """The methods with the short report, all else with the whole one."""
    whole = ["--verbose"]
    for method in METHODS:
        for matrix in ("grid.mtx", "wind.mtx", "oscil_dcop_24.mtx"):
            yield ["solve", matrix, "--method", method, "--max-iterations", "300"]
    for name in PRECONDITIONERS:
        for matrix, method in (("grid.mtx", "cg"), ("wind.mtx", "bicgstab"), ("494_bus.mtx", "refine")):
            yield ["solve", matrix, "--method", method, "--precond", name, "--precision", "both", *whole]
    for method, matrix, *options in lines(SOLVE_OPTIONS):
        yield ["solve", matrix, "--method", method, *options, *([] if "--quiet" in options else whole)]


def checks():
    yield from lines(CHECKS)
    for rest in lines(CHECKS):
        if "--quiet" not in rest:
            yield [*rest, "--verbose"]


def wrong():
    yield from lines(WRONG)
    for name in REFUSED:
        yield ["solve", name + ".mtx"]


def commands():
    for name in ("grid", "wind", "494_bus", "zero_row", "fit", "wide", "complex", "hermitian",
                 "pattern", "integer", "skew", "ranged", "underflow"):
        yield ["info", name + ".mtx"]
        yield ["info", name + ".mtx", "--json"]
    for name in FORMATS:
        # The number of threads a row of crs_t is measured.
        quiet = ["--quiet"] if name == "crs_t" else []
        yield ["spmv", "skewed.mtx", "--format", name, "--output", "y.mtx", "--seconds", "0", *quiet]
    yield "spmv random.mtx --x random.mtx".split()
    yield "spmv fit.mtx --precision both --seconds 0 --report r.json --output y.mtx".split()
    yield "spmv grid.mtx --all-formats --seconds 0 --precision double --quiet".split()
    for kind in KINDS:
        yield ["generate", kind, "5"]
    yield "generate random 9 --per-row 3 --seed 8 --output a.mtx".split()
    for shell in ("bash", "zsh"):
        yield ["completion", shell]
    yield ["--version"]
    yield ["--help"]
    yield ["help"]
    for command in COMMANDS:
        yield [command, "--help"]
    for kind in KINDS:
        yield ["generate", kind, "--help"]


def groups():
    """{group: list of argument lists}; the first argument names a program."""
    return {
        "solve": [["ddla", *rest] for rest in solves()],
        "check": [["ddla", "check", *rest] for rest in checks()],
        "commands": [["ddla", *rest] for rest in commands()],
        "wrong": [["ddla", *rest] for rest in wrong()],
        "validate": [["ddla-validate", *rest] for rest in lines(VALIDATES) + [["--help"]]],
        "c": [["outputs_c", method] for method in METHODS + ["other"]],
        "fortran": [["outputs_fortran"]],
        "python": [["python", "calls.py", method] for method in METHODS + ["other"]],
    }
