"""Faults of device code.  Their tests are cases of device_suite: those that are likely to see it,
few enough that all mutants together take less than ten minutes on a GPU.

What is under src/device changes with its host code.  Elsewhere the fault is on the device alone:
the host computes what is right.  All are in one build: two faults that change the same text need
two builds."""
import fnmatch
import re

from mutant import Mutant

CORE, PRODUCTS_AT, SCHEDULE = "src/device/core/", "src/device/products/", "src/device/schedule/"
FOLD, EXCHANGE, WARP = CORE + "fold.cuh", CORE + "grid_exchange.cuh", CORE + "warp.cuh"
MULTIPLY, SLICES, PATTERNS = (PRODUCTS_AT + f for f in ("multiply.cuh", "slices.cuh", "patterns.cuh"))
RESIDENT, SEQUENCE = SCHEDULE + "resident_rows.cuh", SCHEDULE + "sweep_sequence.cuh"
CONTROL, CG, DD = "src/steps/control.hpp", "src/steps/methods/cg.hpp", "include/ddla/dd_real.hpp"
VECTORS = "sums follow the rule*,vector operations on every*"
MANY_TILES = "sums follow the rule*,every repetition of a vector*,dot products of any*"
PRODUCTS = "products of every size*,products and residuals*,formats of small*"
COLUMNS = "products with several vectors*,products with every number of vectors*"
PAIRS = "products with two to nine vectors*"
FORMATS = "products in every format*,formats of small*"
SMALL = "small systems around*,kernels of solves*"
SEQUENCES = "sweeps of one kernel around*,kernels of solves*"
SOLVES = SMALL + ",sweeps of one kernel around*"

BASIS, PROGRAMS = SCHEDULE + "basis_sums.cuh", "FGMRES*,an operator has the bits*"

OF_CORE = [
    Mutant("primitives: the last value is not collected", CORE + "primitives.cu",
           "i < x.size", "i + 1 < x.size", FORMATS),
    Mutant("primitives: a set of one number too many", CORE + "primitives.cu",
           "if (atomicAdd(&set->count, 1u) >= most)", "if (atomicAdd(&set->count, 1u) > most)",
           FORMATS + ",what formats report*"),
    Mutant("warp: lanes fold upwards", WARP,
           "__shfl_down_sync(whole_warp, w, step)", "__shfl_up_sync(whole_warp, w, step)", VECTORS),
    Mutant("copies: the last 16 bytes are missing", CORE + "async_copy.cuh",
           "if (b + first < bytes)", "if (b + first + 16 < bytes)", FORMATS),
    Mutant("fold of lanes: an absent lane is added", FOLD,
           "if (lane < h && lane + h < count)", "if (lane < h)", VECTORS),
    Mutant("fold of a block: the first lane is not told", FOLD,
           "return from_lane(sum, 0);", "return sum;", SOLVES),
    Mutant("fold of a tree: absent parts are added", FOLD,
           "exists(c >> l << l) ? left + sum : left", "left + sum",
           "absent*,special values*,terms that*," + PRODUCTS + "," + VECTORS),
    Mutant("fold by turns: leaves count in their own order", FOLD,
           # Bits change only where a lane has two to six of its eight terms (eight turns, tiles of
           # 33 to 223 terms) or two (four turns, 33 to 95): it loses terms.
           "lane + first(k) * warp_size < count", "lane + k * warp_size < count",
           "sums over last tiles*,kernels of solves*"),
    Mutant("fold of four tiles: a lane passes on the half that it keeps", FOLD,
           "from_other_lane(upper ? a : b, h)", "from_other_lane(upper ? b : a, h)", MANY_TILES),
    Mutant("fold of four tiles: sums of two tiles change places", FOLD,
           "(lane >> 4 & 1) | (lane >> 2 & 2)", "(lane >> 3 & 3)", MANY_TILES),
    Mutant("fold on arrival: counters are not reset", FOLD,
           "if (last) up.arrived[group] = 0;", "", VECTORS + ",every repetition of a vector*"),
    Mutant("exchange: any sum is taken, whatever its number", EXCHANGE,
           "here = here && got[w].number == number;", "here = here && got[w].number <= number;",
           SOLVES),
    Mutant("exchange: any element is taken, whatever its number", EXCHANGE,
           "here &= got[r][w].number == number;", "here &= got[r][w].number <= number;", SMALL),
    Mutant("exchange: slots are not double-buffered", EXCHANGE,
           "static_cast<unsigned>(number & 1)", "static_cast<unsigned>(number & 0)",
           SOLVES + ",blocks of a small system*"),
    Mutant("exchange: one copy of a sum is not written", EXCHANGE,
           "if (lane < copies)", "if (lane + 1 < copies)", SOLVES),
    Mutant("exchange: the last group of tiles counts as full", EXCHANGE,
           "static_cast<int>(left < tile_size ? left : tile_size)", "int(tile_size)",
           "sweeps of one kernel around*"),
    Mutant("launch: nobody waits for the preceding kernel", CORE + "launch.cuh",
           "    wait_for_preceding();\n    trigger_dependents();", "    trigger_dependents();",
           "what one call leaves*,products begin early*"),
    Mutant("launch: the last block is missing", CORE + "launcher.cuh",
           "(m + each - 1) / each", "m / each", VECTORS + "," + PRODUCTS),
]

OF_PRODUCTS = [
    Mutant("compressed rows: the last tile is lost", MULTIPLY,
           "first + t * tile_size < n", "first + (t + 1) * tile_size <= n", PRODUCTS),
    Mutant("compressed rows: sums go to other lanes behind a long row", PRODUCTS_AT + "rows.cuh",
           "(lane() - first) << log2_lanes & (warp_size - 1)",
           "lane() << log2_lanes & (warp_size - 1)",
           "products in every format*,rows of every*,systems with a dense row*"),
    Mutant("short rows: the even entries are lost", PRODUCTS_AT + "short_rows.cuh",
           "h == 0 ? half : sum + half", "half", PRODUCTS),
    Mutant("several vectors: all are multiplied with the first", PRODUCTS_AT + "columns.cuh",
           "return all.of[product].operand;", "return all.of[0].operand;", COLUMNS),
    Mutant("several vectors: the last one has no blocks", PRODUCTS_AT + "columns.cuh",
           "return static_cast<unsigned>(all.count);", "return static_cast<unsigned>(all.count - 1);",
           COLUMNS),
    Mutant("several vectors: each has the blocks of its neighbour", PRODUCTS_AT + "columns.cuh",
           "number / count", "(number + 1) / count", COLUMNS),
    Mutant("several vectors: interleaved copies overlap", PRODUCTS_AT + "interleaved.cuh",
           "to[product * x.size + i]", "to[product + i]", COLUMNS),
    Mutant("several vectors: long rows are those of the last", PRODUCTS_AT + "long_rows.cuh",
           "parts + product * sums_apart(list)", "parts",
           COLUMNS),
    Mutant("several vectors: long rows are those of the first", PRODUCTS_AT + "rows.cuh",
           "if (long_sums) long_sums += product * long_sums_apart;", "", COLUMNS),
    Mutant("two vectors at once: the second has the sums of the first",
           PRODUCTS_AT + "column_pairs.cuh", "ax.second", "ax.first", PAIRS),
    Mutant("two vectors at once: both are multiplied with the first",
           PRODUCTS_AT + "column_pairs.cuh", "first + 1 < last ? first + 1 : last", "first", PAIRS),
    Mutant("two vectors at once: an odd last one is forgotten", PRODUCTS_AT + "column_pairs.cuh",
           "(products.count + 1) / 2", "products.count / 2", PAIRS),
    Mutant("two vectors at once: an odd last one is written twice", PRODUCTS_AT + "column_pairs.cuh",
           "pair.first + 1 < pair.all.count", "true", PAIRS),
    Mutant("transpose: the device sorts by all bits but the lowest", CORE + "primitives.cu",
           "cub::DeviceRadixSort::SortPairs(room, bytes, keys, values, n, 0, bits, in)",
           "cub::DeviceRadixSort::SortPairs(room, bytes, keys, values, n, 1, bits, in)",
           "transposes of every shape*,transposed products*"),
    Mutant("threads of a row: half of the lanes are folded", MULTIPLY,
           "fold_lanes(own, l, lanes, n)", "fold_lanes(own, l, lanes / 2, n)",
           FORMATS + ",products of every size*"),
    Mutant("slices: the next first leaf is not copied", MULTIPLY,
           "if (s[1].rows > 0) sums.begin(s[1]);", "", FORMATS),
    Mutant("slices: lengths of shorter rows are ignored", SLICES,
           "slot(r) < Sure || slot(r) < count", "slot(r) < Sure || slot(r) < slots",
           "absent entries*," + FORMATS),
    Mutant("slices: the part of a lane is rounded down", SLICES,
           "(n - l + s.lanes() - 1) >> s.log2_lanes", "(n - l) >> s.log2_lanes",
           FORMATS + ",rows of every number of tiles*"),
    Mutant("long rows: the last group of tiles is lost", PRODUCTS_AT + "long_rows.cuh",
           "(count + tile_size - 1) / tile_size", "count / tile_size",
           "rows of 100000*,rows of every number of tiles*"),
    Mutant("tiles: the last slice of a list is lost", PRODUCTS_AT + "tiles.cuh",
           "of_tile < slices_of_tile && k < count", "of_tile + 1 < slices_of_tile && k < count",
           "lists of 512 rows*,tiles of many rows*," + FORMATS),
    Mutant("tiles: every row is as long as its slice", PRODUCTS_AT + "tile_leaves.cuh",
           "s.full ? s.width : lengths[lane]", "s.width",
           FORMATS + ",single entries in solves*,absent entries*,rows of every number of tiles*"),
    Mutant("patterns: one slot more than the row has", PATTERNS,
           "Alike || First + r * Apart < count", "Alike || First + r * Apart <= count",
           "absent entries are not added to rows*," + FORMATS),
    Mutant("sums within products: v instead of the other operand", PRODUCTS_AT + "product_sums.cuh",
           "steps::dots_of_product<1>(v, beside[r]).value[0]",
           "steps::dots_of_product<1>(v, v).value[0]", "sums within products around*"),
    Mutant("interleaved operand: low words are lost", PRODUCTS_AT + "interleaved.cuh",
           "number.lo", "0.0", "solves whose products gather from far*,products in every format*"),
]

OF_SCHEDULE = [
    Mutant("sweep: the last of four tiles counts as full", SCHEDULE + "sweep.cuh",
           "(t + 3 * stride + 1) * tile_size <= n", "(t + 3 * stride) * tile_size <= n", MANY_TILES),
    Mutant("chain: threads go on with stale scalars", SCHEDULE + "chain.cuh",
           "if (threadIdx.x == 0) step.finish(total.whole(), q);\n    __syncthreads();",
           "if (threadIdx.x == 0) step.finish(total.whole(), q);", SOLVES),
    Mutant("sequence: the number of the last exchange is not kept", SEQUENCE,
           "place.number() = all.last();", "", "sweeps of one kernel around*,kernels of several*"),
    Mutant("sequence: the last step's scalars are not kept", SEQUENCE,
           "*steps.first.shared = q;", "", "sweeps of one kernel around*"),
    Mutant("resident rows: the last entry of full rows is lost", RESIDENT,
           "__any_sync(whole_warp, length == most_resident)", "false",
           "small systems with rows*,small systems around*"),
    Mutant("resident rows: a tile is read before it is there", RESIDENT,
           "put(threadIdx.x, x_i);\n        __syncthreads();", "put(threadIdx.x, x_i);", SMALL),
    Mutant("resident solve: numbers of exchanges are used again",
           SCHEDULE + "resident_launcher.cuh",
           "memory.last_exchange += static_cast<word>(times) * sizeof...(Steps) + 1;", "",
           "a small system is solved again*,small systems around*"),
    Mutant("backend: scalars are read before they are there", "src/device/backend.cuh",
           "in_.wait();", "", "small systems around*,iteration limit*",
           "in_.wait();\n        State q;"),
]

ON_THE_DEVICE_ALONE = [
    Mutant("device: the cross products of dd * dd are contracted", DD,
           "detail::add(detail::mul(x.hi, y.lo), detail::mul(x.lo, y.hi))", "::fma(x.hi, y.lo, x.lo * y.hi)",
           "vector operations on every*,products and residuals*"),
    Mutant("device: dd * d loses the low word's product", DD,
           "detail::add(p.error, detail::mul(x.lo, b))", "p.error", "products and residuals*,products of every kind*"),
    Mutant("device: dd - dd adds the low words", DD,
           "two_diff(x.lo, y.lo)", "two_sum(x.lo, y.lo)", "products and residuals*," + SOLVES),
    Mutant("device: a quotient has two words", DD,
           "detail::renormalized(q1, q2) + q3", "detail::renormalized(q1, q2)",
           "small systems around*,BiCGStab*"),
    Mutant("device: a residual of exactly the tolerance is too large", CONTROL,
           "r2 <= target2", "r2 < target2", "a residual of exactly*"),
    Mutant("device: one iteration more than the limit", CONTROL,
           "iterations >= max_iterations", "iterations > max_iterations", "iteration limit*"),
    Mutant("device: CG's finish does not check (p, A p)", CG,
           "q.control.require_nonzero(p_ap, named_scalar::p_ap);", "", "breakdown names*"),
    Mutant("device: CG's beta is of the scalar that has been replaced", CG,
           "beta = next / rho;\n        rho = next;", "rho = next;\n        beta = next / rho;",
           "*every iterate*,BiCGStab and CG*"),
    Mutant("device: slices are written without the last row's number", "src/formats/slices/codes.hpp",
           "if (s.row_bytes == 1)", "if (s.row_bytes == 1 && r + 1 < s.rows)", FORMATS),
    Mutant("device: padding of slices counts as entries", "src/formats/slices/codes.hpp",
           "k < n ? begin + k : -1", "k <= n ? begin + k : -1", FORMATS + ",lists of 512*"),
    Mutant("device: slices are called full with a row too few", "src/formats/slices/codes.hpp",
           "s.rows << s.log2_lanes == lanes_of_slice", "true", FORMATS),
]

OF_MEMORY_AND_GRAPHS = [
    Mutant("scratch: new memory does not hold zeros", CORE + "queue.cpp",
           "cudaMemsetAsync(data_, 0, bytes, aside)", "cudaMemsetAsync(data_, 1, bytes, aside)",
           VECTORS + "," + SOLVES),
    Mutant("graph: the recorded launches are not replayed", CORE + "graph.cpp",
           "cudaGraphLaunch(ready_, stream)", "cudaSuccess", "kernels of solves*"),
]

OF_PROGRAMS = [
    Mutant("sums of a basis: the vectors behind the eighth", BASIS,
           "step.basis.vector(first + k)", "step.basis.vector(k)", PROGRAMS),
    Mutant("sums of a basis: a block stops one vector early", BASIS,
           "if (warp >= here) return;", "if (warp + 1 >= here) return;", PROGRAMS),
    Mutant("sums of a basis: the groups of a level are all the first", BASIS,
           "part + k * m + group * tile_size + lane", "part + k * m + lane", PROGRAMS),
    Mutant("programs: a replay counts for two iterations", "src/device/programs.cuh",
           "++k", "k += 2", PROGRAMS, "for (index_t k = 0; k < times; ++k)"),
]

TRIANGLES = "src/device/triangles/"
OF_TRIANGLES = [
    Mutant("triangles: unknowns of the solve before are taken", TRIANGLES + "wide.cuh",
           "solve + 1", "1", "triangles with rows*,spans of levels*", "slots(s.slots, solve + 1)"),
    Mutant("triangles: every second part of a tile is left out", TRIANGLES + "rows.cuh",
           "sum = sum + fold<1, 2>(mine, left);", "", "triangles with rows*"),
    Mutant("triangles: tiles of a long row are added as they come", TRIANGLES + "rows.cuh",
           "(index_t{reversed_bits(static_cast<int>(leaf), bits_for(m))} << shift)", "(leaf << shift)",
           "a row of more than*,triangles with rows*"),
    Mutant("triangles: the power of two of b stays in x", TRIANGLES + "packets.cuh",
           "__ldg(s_.a.scale_in + i) - common_", "__ldg(s_.a.scale_in + i)", "two and three triangles*"),
    Mutant("triangles: no row is divided by its pivot", TRIANGLES + "packets.cuh",
           "p.divides ? rest / pivot : rest", "rest", "dense triangles*"),
    Mutant("triangles: a warp of a wide span leaves out the packets drawn ahead",
           TRIANGLES + "wide.cuh", "p = p1;", "p = count;", "spans of levels*"),
    Mutant("narrow spans: rows do not wait for the level before", TRIANGLES + "narrow.cuh",
           "[&] { packets.await(before); }", "[] {}", "a chain in which*,levels of sixty*"),
    Mutant("narrow spans: unknowns are not left for other spans", TRIANGLES + "narrow.cuh",
           "far_.put(unknown, 0, x);", "", "spans of levels*"),
    Mutant("narrow spans: all keep their unknowns at one place", TRIANGLES + "narrow.cuh",
           "narrow_span::place(row)", "0", "a chain in which*,levels of sixty*"),
    Mutant("narrow spans: the second turn of a warp is left out", TRIANGLES + "narrow.cuh",
           "after = load(p + 2 * warps)", "after = load(p + warps)", "levels of sixty*"),
]

FACTORS = "src/device/factors/"
LLT, LDLT, LU = "L L^T at the device*", "L D L^T at the device*", "L U at the device*"

OF_FACTORS = [
    Mutant("factors: a pivot that is not positive counts as one", FACTORS + "panels.cuh",
           "if (!factor::root(mine, pivot)) atomicMin(failed, q.first + row);",
           "factor::root(mine, pivot);", LLT),
    Mutant("factors: the row behind a pivot is not divided", FACTORS + "panels.cuh",
           "is_active && row > j + c", "is_active && row > j + c + 1", LLT),
    Mutant("factors: a wide panel takes a pivot that is not positive", FACTORS + "definite_panels.cuh",
           "if (!factor::root(diagonal, pivot) && lane() == 0) atomicMin(failed_, first_ + column);",
           "factor::root(diagonal, pivot);", LLT),
    Mutant("factors: a pivot of a wide panel misses the one before it", FACTORS + "definite_panels.cuh",
           "if (lane() > k + c) diagonal", "if (lane() > k + c + 1) diagonal", LLT),
    Mutant("factors: columns of a group do not move up", FACTORS + "definite_panels.cuh",
           "t_[i - 2] = t_[i];", "t_[i - 2] = t_[i - 2];", LLT),
    Mutant("factors: U takes updates in rows of earlier tiles", FACTORS + "tiles.cuh",
           "if (!rows_are_l) u.begin = greater(u.begin, from.end);",
           "if (!rows_are_l) u.begin = from.end;", LU),
    Mutant("factors: the last row of an update is lost", FACTORS + "tiles.cuh",
           "u.rows = bounds[end] - u.begin;", "u.rows = bounds[end] - u.begin - 1;", LLT),
    Mutant("factors: all row-blocks of an update are loaded from one place", FACTORS + "tiles.cuh",
           "            from += blocks_at_once * next_.stride;\n", "", LLT),
    Mutant("factors: an update of two steps takes its first pivots twice", FACTORS + "tiles.cuh",
           "            next_.rows += pivots * size;\n", "", LLT),
    Mutant("factors: exchanged rows take updates by where they were", FACTORS + "square.cuh",
           "if (has_row() && place_ > k) subtract(l, k, 0);",
           "if (has_row() && row_ > k) subtract(l, k, 0);", LU),
    Mutant("factors: nobody is told that rows were exchanged", FACTORS + "symmetric.cuh",
           "if (shared_.row_at[row_] != row_) *moved = 1;", "", LDLT),
    Mutant("factors: pairs where one row is enough", FACTORS + "symmetric.cuh",
           "own / largest * beside >= alpha * largest", "own >= largest", LDLT),
    Mutant("factors: bounds of a warp begin anew", FACTORS + "bounds.cuh",
           "lane == 0 ? before : previous", "previous", LLT),
    Mutant("solves: segments of a row lie one place behind", FACTORS + "row_segments.cuh",
           "(1u << lane) - 1", "(2u << lane) - 1", LLT),
    Mutant("solves: the next unknown backwards is left out", FACTORS + "backward_sweeps.cuh",
           "if (t < m && g == m % 4)", "if (t + 1 < m && g == m % 4)", LLT),
    Mutant("solves: the next unknown forwards is left out", FACTORS + "forward_sweeps.cuh",
           "if (lane > c && lane < n) t = factor::fnma(l, y, t);",
           "if (lane > c + 1 && lane < n) t = factor::fnma(l, y, t);", LLT),
    Mutant("solves: unknowns of a pair change places", FACTORS + "solves.cu",
           "rest * (w - q * v)", "rest * (v - q * w)", LDLT),
    Mutant("solves: b keeps its power of two at a device", FACTORS + "solves.cu",
           "exponent[i] - common->or_zero()", "exponent[i]", LU),
]

MUTANTS = (OF_CORE + OF_PRODUCTS + OF_SCHEDULE + ON_THE_DEVICE_ALONE + OF_MEMORY_AND_GRAPHS +
           OF_PROGRAMS + OF_TRIANGLES + OF_FACTORS)


def unknown_cases(root):
    """A line for each case that the sources of device_suite do not have: it would pass unseen."""
    parts = [*root.glob("tests/device/suite/*.cpp"), *root.glob("tests/cases/**/*.cpp")]
    names = [name for part in parts for name in
             re.findall(r'TEST_CASE\(\s*"([^"]+)"', part.read_text())]
    cases = dict.fromkeys(case for m in MUTANTS for case in m.tests.split(","))
    return [f"device_suite has no case {case}" for case in cases
            if not any(fnmatch.fnmatch(name, case) for name in names)]
