// Names of what solves are asked for and how they end.
#include "ddla/option_names.hpp"
#include "ddla/solve.hpp"

namespace ddla {

std::string_view to_string(preconditioning p)
{
    return name_of(p);
}

std::string_view to_string(solve_status s)
{
    return name_of(s);
}

std::string_view to_string(solve_goal g)
{
    return name_of(g);
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

}  // namespace ddla
