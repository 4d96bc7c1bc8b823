// How a matrix is factored, and what may be spent on it.
//
//     ddla::factorisation_options options;
//     options.ordering = ddla::column_ordering::colamd;
//     options.most_memory = 1'000'000'000;
//     const ddla::lu_factors<double> f(a, options);
#pragma once

#include "describe.hpp"
#include "number.hpp"
#include "views.hpp"

#include <cstdint>
#include <limits>

namespace ddla {

/// The order in which columns are eliminated.
enum class column_ordering {
    /// AMD where the pattern is nearly symmetric with a diagonal, else COLAMD; nested dissection in
    /// place of AMD where it saves more operations than it costs.
    automatic,
    natural,
    amd,          ///< Amestoy, Davis, Duff, ACM TOMS 30(3), 2004, algorithm 837
    colamd,       ///< Davis, Gilbert, Larimore, Ng, ACM TOMS 30(3), 2004, algorithm 836
    rcm,          ///< reversed Cuthill and McKee, of A + A^T
    multicolour,  ///< greedy colours of A + A^T, one after the other
    dissection,   ///< nested dissection of A + A^T: George, SIAM J. Numer. Anal. 10(2), 1973
};

inline constexpr named<column_ordering> ordering_names[] = {
    {"auto", column_ordering::automatic},
    {"natural", column_ordering::natural},
    {"amd", column_ordering::amd},
    {"colamd", column_ordering::colamd},
    {"rcm", column_ordering::rcm},
    {"multicolour", column_ordering::multicolour},
    {"dissection", column_ordering::dissection},
};
constexpr const auto& names_of(column_ordering)
{
    return ordering_names;
}

/// The numbers that factors are made of.
enum class factor_precision {
    automatic,  ///< double first; double-double where these do not suffice
    in_double,
    in_double_double,
};

inline constexpr named<factor_precision> factor_precision_names[] = {
    {"auto", factor_precision::automatic},
    {"double", factor_precision::in_double},
    {"dd", factor_precision::in_double_double},
};
constexpr const auto& names_of(factor_precision)
{
    return factor_precision_names;
}

struct factorisation_options {
    factor_precision factors = factor_precision::automatic;
    column_ordering ordering = column_ordering::automatic;
    bool scale = true;  ///< rows and columns, by powers of two
    /// Permute rows first so that the product of the diagonal is as large as possible; only where
    /// the ordering wants a diagonal that the matrix lacks.
    bool match = true;
    /// Multiplications with a subtraction, in units of 10^9, at most; one in double-double counts
    /// as 10.
    double most_work = 4;
    /// Bytes of the factors, at most.
    std::int64_t most_memory = std::int64_t{8} << 30;
};

template <class Visit, class... Like>
void describe(described<factorisation_options>, const Visit& visit, Like&... o)
{
    using namespace about;
    constexpr std::string_view all = "factors, lu, ilu, ilut, ic, block_jacobi";
    visit(
        option<names<factor_precision>>{
            .name = "factors",
            .help = "Factors in double, in double-double, or in both if need be",
            .taken_by = all},
        o.factors...);
    visit(option<names<column_ordering>>{.name = "ordering",
                                         .help = "The order of elimination",
                                         .taken_by = all},
          o.ordering...);
    visit(option<yes_or_no>{.name = "scale",
                            .help = "Scale rows and columns by powers of two",
                            .taken_by = all},
          o.scale...);
    visit(option<yes_or_no>{.name = "match",
                            .help = "Permute large entries to the diagonal",
                            .taken_by = "factors, lu, ilu, ilut, block_jacobi"},
          o.match...);
    visit(
        option<numbers>{.name = "most_work",
                        .label = "GFLOP",
                        .help = "Most work of factors, in 10^9 multiplications with a subtraction",
                        .taken_by = all,
                        .values = {.above_least = true}},
        o.most_work...);
    visit(option<whole_numbers>{.name = "most_memory",
                                .label = "BYTES",
                                .help = "Most memory of factors, in bytes or as 8G",
                                .taken_by = all,
                                .values = {.least = 1, .bytes = true}},
          o.most_memory...);
}

/// What a factorisation took and found.  Pivots and growth: of the scaled matrix.
struct factorisation_report {
    index_t n = 0;
    index_t rank = 0;           ///< columns with a pivot; fewer than n: solves leave the others 0
    std::int64_t entries = 0;   ///< of L, U and the pivots
    double operations = 0;      ///< multiplications with a subtraction
    std::int64_t bytes = 0;     ///< of the factors, by rows and transposed
    double smallest_pivot = 0;  ///< its magnitude
    index_t smallest_pivot_row = -1, smallest_pivot_column = -1;  ///< from 0
    double growth = 0;
    column_ordering ordering = column_ordering::natural;  ///< the one that was used
    double seconds = 0;
    std::int64_t nonzeros = 0;  ///< of A
};

template <class Visit, class... Like>
void describe(described<factorisation_report>, const Visit& visit, Like&... r)
{
    using namespace about;
    visit(field{"n"}, r.n...);
    visit(field{"rank"}, r.rank...);
    visit(field{"entries"}, r.entries...);
    visit(field{"operations"}, r.operations...);
    visit(field{"bytes"}, r.bytes...);
    visit(field{"smallest_pivot"}, r.smallest_pivot...);
    visit(field{.name = "smallest_pivot_row", .counts = true}, r.smallest_pivot_row...);
    visit(field{.name = "smallest_pivot_column", .counts = true}, r.smallest_pivot_column...);
    visit(field{"growth"}, r.growth...);
    visit(field{"ordering"}, r.ordering...);
    visit(field{"seconds"}, r.seconds...);
    visit(field{"nonzeros"}, r.nonzeros...);
}

}  // namespace ddla
