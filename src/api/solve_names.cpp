// Names of what solves are asked for and how they end.
#include "ddla/option_names.hpp"
#include "ddla/solve.hpp"

namespace ddla {

std::string_view to_string(preconditioning p)
{
    for (const auto& [name, value] : preconditioning_names)
        if (value == p) return name;
    return "unknown";
}

std::string_view title(preconditioning p)
{
    switch (p) {
    case preconditioning::none:
        return "no";
    case preconditioning::jacobi:
        return "Jacobi";
    case preconditioning::lu:
        return "LU";
    case preconditioning::ilu:
        return "ILU";
    case preconditioning::ilut:
        return "ILUT";
    case preconditioning::ic:
        return "IC";
    case preconditioning::block_jacobi:
        return "block Jacobi";
    case preconditioning::polynomial:
        return "polynomial";
    }
    return "unknown";
}

std::string_view to_string(solve_status s)
{
    switch (s) {
    case solve_status::converged:
        return "converged";
    case solve_status::iteration_limit:
        return "iteration_limit";
    case solve_status::breakdown:
        return "breakdown";
    case solve_status::stagnated:
        return "stagnated";
    case solve_status::not_finite:
        return "not_finite";
    case solve_status::singular:
        return "singular";
    case solve_status::at_floor:
        return "at_floor";
    case solve_status::residual_only:
        return "residual_only";
    }
    return "unknown";
}

std::string_view to_string(solve_goal g)
{
    switch (g) {
    case solve_goal::digits:
        return "digits";
    case solve_goal::least_squares:
        return "least_squares";
    case solve_goal::residual:
        break;
    }
    return "residual";
}

}  // namespace ddla
