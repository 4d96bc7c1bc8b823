// The methods of solve(), a line each.
//
//     ddla::solve(a, b, x, {.method = ddla::method::fgmres, .tolerance = 1e-25});
//
// What an iteration does is in a file of its name in src/steps/methods.
#pragma once

#include <string_view>

namespace ddla {

/// The A that a method is for.
enum class matrix_kind {
    square,
    symmetric,          ///< definite or not
    positive_definite,  ///< and symmetric
    any_shape,          ///< also rectangular or singular: least squares
};

/// USE(name, text, title, kind of A, cost) for each that iterates.  New ones are appended: the
/// numbers of C and Fortran are the places in this list.  `scripts/write-methods` takes them there.
///   bicgstab   van der Vorst 1992
///   cg         Hestenes and Stiefel 1952
///   fgmres     Saad 1993; restarted, any preconditioner
///   bicgstabl  Sleijpen and Fokkema 1993, also for complex eigenvalues
///   minres     Paige and Saunders 1975
///   idr        van Gijzen and Sonneveld 2011
///   lsmr       Fong and Saunders 2011
/// The cost is that of an iteration, in the order of detail::method_cost, as docs/methods.md has
/// it: products, vectors moved, and with Jacobi; memory, and with K, and with Jacobi.
#define DDLA_FOR_KRYLOV_METHODS(USE)                                                               \
    USE(bicgstab, "bicgstab", "BiCGStab", square, (2, 19, 25, 6, 8, 9))                            \
    USE(cg, "cg", "CG", positive_definite, (1, 11, 13, 3, 4, 4))                                   \
    USE(fgmres, "fgmres", "FGMRES", square,                                                        \
        (1, 2 * of.cycle + 13, 2 * of.cycle + 15, of.cycle + 2, 2 * of.cycle + 3,                  \
         2 * of.cycle + 3))                                                                        \
    USE(bicgstabl, "bicgstabl", "BiCGStab(l)", square,                                             \
        (2 * of.l, (11 * of.l * of.l + 33 * of.l) / 2 + 5,                                         \
         (11 * of.l * of.l + 33 * of.l) / 2 + 5 + 6 * of.l, 2 * of.l + 4, 2 * of.l + 5,            \
         2 * of.l + 6))                                                                            \
    USE(minres, "minres", "MINRES", symmetric, (1, 19, 27, 6, 8, 9))                               \
    USE(idr, "idr", "IDR(s)", square,                                                              \
        (of.s + 1, 4 * of.s * of.s + 19 * of.s + 10, 4 * of.s * of.s + 22 * of.s + 14,             \
         3 * of.s + 3, 3 * of.s + 4, 3 * of.s + 5))                                                \
    USE(lsmr, "lsmr", "LSMR", any_shape,                                                           \
        (2, 20, 20, 2 + 4 * of.columns / of.rows, 2 + 4 * of.columns / of.rows,                    \
         2 + 4 * of.columns / of.rows))

/// The same for all:
///   automatic   factors and refines within counted limits, says how many digits are right; past
///               them it iterates, with incomplete factors, and if A is a function without any:
///               then the residual alone is judged (see report.goal)
///   refinement  ends by the tolerance; factors and refines, or, with a preconditioner, see solve()
#define DDLA_FOR_METHODS(USE)                                                                      \
    USE(automatic, "auto", "Auto", any_shape)                                                      \
    USE(refinement, "refine", "Refinement", any_shape)                                             \
    DDLA_FOR_KRYLOV_METHODS(USE)

#define DDLA_NAME(name, ...) name,
enum class method { DDLA_FOR_METHODS(DDLA_NAME) };
#undef DDLA_NAME

/// The name in options and reports: "bicgstab".
constexpr std::string_view to_string(method m)
{
    switch (m) {
#define DDLA_CASE(name, text, title, kind, ...)                                                    \
    case method::name:                                                                             \
        return text;
        DDLA_FOR_METHODS(DDLA_CASE)
#undef DDLA_CASE
    }
    return "unknown";
}

/// The name in sentences: "BiCGStab".
constexpr std::string_view title(method m)
{
    switch (m) {
#define DDLA_CASE(name, text, title, kind, ...)                                                    \
    case method::name:                                                                             \
        return title;
        DDLA_FOR_METHODS(DDLA_CASE)
#undef DDLA_CASE
    }
    return "unknown";
}

constexpr matrix_kind matrix_kind_of(method m)
{
    switch (m) {
#define DDLA_CASE(name, text, title, kind, ...)                                                    \
    case method::name:                                                                             \
        return matrix_kind::kind;
        DDLA_FOR_METHODS(DDLA_CASE)
#undef DDLA_CASE
    }
    return matrix_kind::square;
}

constexpr bool needs_symmetry(method m)
{
    const matrix_kind kind = matrix_kind_of(m);
    return kind == matrix_kind::symmetric || kind == matrix_kind::positive_definite;
}

/// Least squares: of a method that factors, and of one that iterates by products with A and A^T.
constexpr bool takes_any_shape(method m)
{
    return matrix_kind_of(m) == matrix_kind::any_shape;
}

namespace detail {

/// What an iteration takes: products with A or A^T, vectors of rows that it moves, and vectors in
/// memory beside A, b and x.
struct method_cost {
    double products, vectors, vectors_with_jacobi;
    double memory, memory_with_k, memory_with_jacobi;
};

/// What the cost depends on; `cycle` is the length of a cycle of FGMRES.
struct method_sizes {
    double rows = 1, columns = 1, cycle = 1, l = 2, s = 4;
};

/// Of automatic and refinement: that of BiCGStab.
constexpr method_cost cost_of(method m, const method_sizes& of)
{
    switch (m) {
#define DDLA_CASE(name, text, title, kind, cost)                                                   \
    case method::name:                                                                             \
        return method_cost cost;
        DDLA_FOR_KRYLOV_METHODS(DDLA_CASE)
#undef DDLA_CASE
    case method::automatic:
    case method::refinement:
        break;
    }
    return cost_of(method::bicgstab, of);
}

}  // namespace detail

}  // namespace ddla
