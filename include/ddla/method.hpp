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

/// USE(name, text, title, kind of A) for each that iterates.  New ones are appended: the numbers of
/// C and Fortran are the places in this list.  `scripts/write-methods` takes them there.
///   bicgstab   van der Vorst 1992
///   cg         Hestenes and Stiefel 1952
///   fgmres     Saad 1993; restarted, any preconditioner
///   bicgstabl  Sleijpen and Fokkema 1993, also for complex eigenvalues
///   minres     Paige and Saunders 1975
///   idr        van Gijzen and Sonneveld 2011
///   lsmr       Fong and Saunders 2011
#define DDLA_FOR_KRYLOV_METHODS(USE)                                                               \
    USE(bicgstab, "bicgstab", "BiCGStab", square)                                                  \
    USE(cg, "cg", "CG", positive_definite)                                                         \
    USE(fgmres, "fgmres", "FGMRES", square)                                                        \
    USE(bicgstabl, "bicgstabl", "BiCGStab(l)", square)                                             \
    USE(minres, "minres", "MINRES", symmetric)                                                     \
    USE(idr, "idr", "IDR(s)", square)                                                              \
    USE(lsmr, "lsmr", "LSMR", any_shape)

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
#define DDLA_CASE(name, text, title, kind)                                                         \
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
#define DDLA_CASE(name, text, title, kind)                                                         \
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
#define DDLA_CASE(name, text, title, kind)                                                         \
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

}  // namespace ddla
