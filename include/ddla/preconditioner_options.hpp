// How preconditioners are built.
//
//     ddla::solve_options options;
//     options.method = ddla::method::bicgstab;
//     options.precond = ddla::preconditioning::ilu;
//     options.preconditioner.fill = 2;  // ILU(2)
#pragma once

#include "error.hpp"
#include "factorisation.hpp"
#include "views.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ddla {

/// What is done with a pivot that is zero, or at most 2^-33 of the largest entry of its row, after
/// scaling.
enum class bad_pivot {
    shift,   ///< it becomes 2^-17 of that entry (IC: diag(A) grows until all have roots); counted
    refuse,  ///< pivot_error, with the row
};

inline constexpr named<bad_pivot> bad_pivot_names[] = {
    {"shift", bad_pivot::shift},
    {"refuse", bad_pivot::refuse},
};
constexpr const auto& names_of(bad_pivot)
{
    return bad_pivot_names;
}

/// Incomplete factors have no usable pivot in a row.
class pivot_error : public input_error {
public:
    pivot_error(index_t row, bool may_shift, const std::string& text)
        : input_error(text), row_(row), may_shift_(may_shift)
    {
    }
    index_t row() const noexcept { return row_; }  ///< of A, from 0
    /// The options refuse such pivots; bad_pivot::shift may go on.
    bool may_shift() const noexcept { return may_shift_; }

private:
    index_t row_;
    bool may_shift_;
};

enum class polynomial_kind {
    neumann,    ///< of I - D^-1 A
    chebyshev,  ///< of D^-1 A on an interval, for symmetric positive definite matrices
};

inline constexpr named<polynomial_kind> polynomial_names[] = {
    {"neumann", polynomial_kind::neumann},
    {"chebyshev", polynomial_kind::chebyshev},
};
constexpr const auto& names_of(polynomial_kind)
{
    return polynomial_names;
}

struct preconditioner_options {
    /// ILU: levels of fill, 0 unless given.  ILUT: entries of each half of a row beyond those of A,
    /// 10 unless given.
    std::optional<int> fill = {};
    double drop =
        1e-3;  ///< ILUT, below 1: entries below this part of their row's largest are left out
    /// Block Jacobi: rows of each block but the last, a multiple of 256.
    std::int64_t block_rows = 256;
    /// Or given blocks: block k has the rows and columns blocks[k] to blocks[k + 1]; the first is
    /// 0, the last the size of A.
    std::vector<index_t> blocks = {};
    /// The numbers of the factors; automatic: double, applied in the precision of the solve.
    factor_precision factors = factor_precision::automatic;
    /// Automatic: natural for incomplete factors.
    column_ordering ordering = column_ordering::automatic;
    bool scale = true;  ///< rows and columns, by powers of two
    /// Bring large entries to the diagonal by a matching where an entry there is below 2^-7 of its
    /// row's largest.  Never for IC.
    bool match = true;
    bad_pivot pivots = bad_pivot::shift;
    polynomial_kind polynomial = polynomial_kind::neumann;
    int degree = 4;  ///< of the polynomial: so many products
    /// Chebyshev: the interval is [L / ratio, L]; L is the largest row sum of |D^-1 A|.
    double eigenvalue_ratio = 30;
    /// Entries of incomplete factors over those of A, at most.
    double most_fill = std::numeric_limits<double>::infinity();
    double most_work = 4;  ///< 10^9 multiplications with a subtraction, at most
    std::int64_t most_memory = std::int64_t{8} << 30;  ///< bytes of the factors, at most
};

/// Those of factors, in the command and Python, are factorisation_options of the same names.
template <class Visit, class... Like>
void describe(described<preconditioner_options>, const Visit& visit, Like&... o)
{
    using namespace about;
    visit(option<whole_numbers>{.name = "fill",
                                .label = "K",
                                .help = "ilu: levels of fill (0); ilut: entries of half a row "
                                        "beyond those of A (10)",
                                .taken_by = "ilu, ilut",
                                .in_command = whole_numbers{0, 1'000'000}},
          o.fill...);
    visit(option<numbers>{.name = "drop",
                          .label = "T",
                          .help = "leave out entries below T times their row's largest",
                          .read_by = "ilut",
                          .values = {.most = 1, .below_most = true}},
          o.drop...);
    visit(option<whole_numbers>{.name = "block_rows",
                                .label = "N",
                                .help = "rows of a block, a multiple of 256",
                                .read_by = "block_jacobi",
                                .values = {.least = 256, .multiple_of = 256}},
          o.block_rows...);
    visit(option<ends_of_parts>{.name = "blocks",
                                .read_by = "block_jacobi",
                                .not_in_command = "a list as long as there are blocks"},
          o.blocks...);
    visit(option<names<bad_pivot>>{.name = "pivots",
                                   .help = "what is done with a zero or tiny pivot",
                                   .read_by = "ilu, ilut, ic",
                                   .taken_by = "ilu, ilut, ic, auto"},
          o.pivots...);
    visit(option<names<polynomial_kind>>{.name = "polynomial",
                                         .help = "which one",
                                         .read_by = "polynomial"},
          o.polynomial...);
    visit(option<whole_numbers>{.name = "degree",
                                .label = "N",
                                .help = "its degree, a product each",
                                .read_by = "polynomial",
                                .values = {0, 1000}},
          o.degree...);
    visit(option<numbers>{.name = "eigenvalue_ratio",
                          .label = "R",
                          .help = "chebyshev: the interval is [L / R, L], L the largest row sum of "
                                  "|D^-1 A|",
                          .read_by = "polynomial",
                          .taken_by = "chebyshev",
                          .values = {.least = 1, .above_least = true}},
          o.eigenvalue_ratio...);
    visit(option<numbers>{.name = "most_fill",
                          .read_by = "ilu, ilut, ic",
                          .values = {.above_least = true},
                          .not_in_command = "--most-memory limits the same entries"},
          o.most_fill...);
    constexpr std::string_view shared = "the option of factors of this name is of these, too";
    visit(option<names<factor_precision>>{.name = "factors", .not_in_command = shared},
          o.factors...);
    visit(option<names<column_ordering>>{.name = "ordering", .not_in_command = shared},
          o.ordering...);
    visit(option<yes_or_no>{.name = "scale", .not_in_command = shared}, o.scale...);
    visit(option<yes_or_no>{.name = "match", .not_in_command = shared}, o.match...);
    visit(option<numbers>{.name = "most_work",
                          .values = {.above_least = true},
                          .not_in_command = shared},
          o.most_work...);
    visit(option<whole_numbers>{.name = "most_memory", .values = {1}, .not_in_command = shared},
          o.most_memory...);
}

}  // namespace ddla
