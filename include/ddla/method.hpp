// The methods of solve(), a line each.
//
//     ddla::solve(a, b, x, {.method = ddla::method::fgmres, .tolerance = 1e-25});
//
// What an iteration does is in a file of its name under src/steps.
#pragma once

#include <string_view>

namespace ddla {

/// USE(name, text, title) for each that iterates:
///   bicgstab  van der Vorst 1992, any square matrix
///   cg        Hestenes and Stiefel 1952, symmetric positive definite matrices
///   fgmres    Saad 1993, any square matrix; restarted, any preconditioner
///   bicgstabl Sleijpen and Fokkema 1993, any square matrix, also with complex eigenvalues
///   minres    Paige and Saunders 1975, symmetric matrices, definite or not
///   idr       van Gijzen and Sonneveld 2011, any square matrix
///   lsmr      Fong and Saunders 2011, any matrix, also rectangular or singular: least squares
#define DDLA_FOR_KRYLOV_METHODS(USE)                                                               \
    USE(bicgstab, "bicgstab", "BiCGStab")                                                          \
    USE(cg, "cg", "CG")                                                                            \
    USE(fgmres, "fgmres", "FGMRES")                                                                \
    USE(bicgstabl, "bicgstabl", "BiCGStab(l)")                                                     \
    USE(minres, "minres", "MINRES")                                                                \
    USE(idr, "idr", "IDR(s)")                                                                      \
    USE(lsmr, "lsmr", "LSMR")

/// The same for all:
///   automatic   factors and refines within counted limits, says how many digits are right; past
///               them it iterates, with incomplete factors, and if A is a function without any:
///               then the residual alone is judged (see report.goal)
///   refinement  ends by the tolerance; factors and refines, or, with a preconditioner, see solve()
/// Both find least squares of an A that is not square.
#define DDLA_FOR_METHODS(USE)                                                                      \
    USE(automatic, "auto", "Auto")                                                                 \
    USE(refinement, "refine", "Refinement")                                                        \
    DDLA_FOR_KRYLOV_METHODS(USE)

#define DDLA_NAME(name, text, title) name,
enum class method { DDLA_FOR_METHODS(DDLA_NAME) };
#undef DDLA_NAME

/// The name in options and reports: "bicgstab".
constexpr std::string_view to_string(method m)
{
    switch (m) {
#define DDLA_CASE(name, text, title)                                                               \
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
#define DDLA_CASE(name, text, title)                                                               \
    case method::name:                                                                             \
        return title;
        DDLA_FOR_METHODS(DDLA_CASE)
#undef DDLA_CASE
    }
    return "unknown";
}

}  // namespace ddla
