"""Faults of ranks that share vectors."""
from mutant import Mutant

SUMS, SOLVES, READ = "test_rank_sums", "test_rank_solves", "test_rank_read"
PLAN, RANK_SUMS = "src/ranks/sum_plan.cpp", "src/ranks/rank_sums.cpp"

MUTANTS = [
    Mutant("ranks: the last node of a range, which is not whole, is taken for whole", PLAN,
           "end == count ? tiles(count) : end / tile_size", "tiles(end)", SUMS),
    Mutant("ranks: loose children at the end do not travel", PLAN,
           "for (index_t i = one.kept_end; i < one.end; ++i)", "for (index_t i = one.end; i < one.end; ++i)", SUMS),
    Mutant("ranks: sums always travel as tiles", PLAN,
           "if (now < fewest)", "if (false)", SUMS),
    Mutant("ranks: an opinion is not heard", RANK_SUMS,
           "all_go_on = all_go_on && said == 0;", "", SOLVES),
    Mutant("ranks: the sum of the second of several is that of the first", RANK_SUMS,
           "from_rank(r) + head + j * bytes", "from_rank(r) + head", SOLVES),
    Mutant("ranks: elements of this rank are not gathered for the boundary", "src/distributed/rank_product.hpp",
           "            vectors.gather(all[j].x, lists_.own_of_boundary.data(), x.part(0, own));\n", "", SUMS),
    Mutant("ranks: the transpose keeps rows counted on this rank", "src/distributed/transposed_rows.cpp",
           "= first_row + i;", "= i;", SUMS),
    Mutant("ranks: IDR draws by the number on this rank", "src/steps/methods/idr.hpp",
           "static_cast<std::uint64_t>(first + i)", "static_cast<std::uint64_t>(i)", SOLVES),
    Mutant("ranks: blocks are scaled by what this rank has", "src/host/triangles.cpp",
           "shared_ ? shared_->largest(most) : most.load()", "most.load()", SOLVES),
    Mutant("ranks: loops of ranks are asked", "src/ranks/agreement.hpp",
           "    if (among.size() > 1) as_others.emplace();\n", "", SOLVES),
    Mutant("ranks: work on scalars is summed over all ranks", "src/host/backend.hpp",
           "shared_sums* before = std::exchange(now, nullptr);", "shared_sums* before = now;", SOLVES),
    Mutant("ranks: what a file has in both triangles is not seen", "src/distributed/read.cpp",
           "const bool both = about.symmetry != text::symmetry::general && below && above;",
           "const bool both = false;", READ),
    Mutant("ranks: an entry too few is not seen", "src/distributed/read.cpp",
           " || all.entries != about.entries", "", READ),
]
