// The methods of solve(), a line each:  ddla::solve(a, b, x, {.method = ddla::method::fgmres});
// What a method does is in a file of its name under src/steps.
#pragma once

#include <string_view>

namespace ddla {

/// USE(name, title) for each:
///   bicgstab  van der Vorst 1992, any square matrix
///   cg        Hestenes and Stiefel 1952, symmetric positive definite matrices
///   fgmres    Saad 1993, any square matrix; restarted, any preconditioner
#define DDLA_FOR_METHODS(USE)                                                                      \
    USE(bicgstab, "BiCGStab")                                                                      \
    USE(cg, "CG")                                                                                  \
    USE(fgmres, "FGMRES")

#define DDLA_NAME(name, title) name,
enum class method { DDLA_FOR_METHODS(DDLA_NAME) };
#undef DDLA_NAME

/// The name in options and reports: "bicgstab".
constexpr std::string_view to_string(method m)
{
    switch (m) {
#define DDLA_CASE(name, title)                                                                     \
    case method::name:                                                                             \
        return #name;
        DDLA_FOR_METHODS(DDLA_CASE)
#undef DDLA_CASE
    }
    return "unknown";
}

/// The name in sentences: "BiCGStab".
constexpr std::string_view title(method m)
{
    switch (m) {
#define DDLA_CASE(name, title)                                                                     \
    case method::name:                                                                             \
        return title;
        DDLA_FOR_METHODS(DDLA_CASE)
#undef DDLA_CASE
    }
    return "unknown";
}

}  // namespace ddla
