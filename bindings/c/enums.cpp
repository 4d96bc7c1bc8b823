#include "enums.hpp"

// A number of ddla.h for each enumerator: the compiler finds those that are missing.
#pragma GCC diagnostic error "-Wswitch"

namespace ddla::c {

/// The numbers are the places in the list of methods, from which scripts/write-methods takes those
/// of ddla.h and ddla.f90.
std::int32_t to_c(method m)
{
    constexpr std::int32_t methods = 0
#define DDLA_COUNT(...) +1
        DDLA_FOR_METHODS(DDLA_COUNT)
#undef DDLA_COUNT
        ;
    const auto number = static_cast<std::int32_t>(m);
    return number < methods ? number : -1;
}

std::int32_t to_c(preconditioning p)
{
    switch (p) {
    case preconditioning::none:
        return DDLA_NONE;
    case preconditioning::jacobi:
        return DDLA_JACOBI;
    case preconditioning::lu:
        return DDLA_LU;
    case preconditioning::ilu:
        return DDLA_ILU;
    case preconditioning::ilut:
        return DDLA_ILUT;
    case preconditioning::ic:
        return DDLA_IC;
    case preconditioning::block_jacobi:
        return DDLA_BLOCK_JACOBI;
    case preconditioning::polynomial:
        return DDLA_POLYNOMIAL;
    }
    return -1;
}

std::int32_t to_c(bad_pivot p)
{
    switch (p) {
    case bad_pivot::shift:
        return DDLA_SHIFT;
    case bad_pivot::refuse:
        return DDLA_REFUSE;
    }
    return -1;
}

std::int32_t to_c(polynomial_kind p)
{
    switch (p) {
    case polynomial_kind::neumann:
        return DDLA_NEUMANN;
    case polynomial_kind::chebyshev:
        return DDLA_CHEBYSHEV;
    }
    return -1;
}

std::int32_t to_c(solve_status s)
{
    switch (s) {
    case solve_status::converged:
        return DDLA_CONVERGED;
    case solve_status::iteration_limit:
        return DDLA_ITERATION_LIMIT;
    case solve_status::breakdown:
        return DDLA_BREAKDOWN;
    case solve_status::stagnated:
        return DDLA_STAGNATED;
    case solve_status::not_finite:
        return DDLA_NOT_FINITE;
    case solve_status::singular:
        return DDLA_SINGULAR;
    case solve_status::at_floor:
        return DDLA_AT_FLOOR;
    case solve_status::residual_only:
        return DDLA_RESIDUAL_ONLY;
    }
    return -1;
}

std::int32_t to_c(solve_goal g)
{
    switch (g) {
    case solve_goal::residual:
        return DDLA_GOAL_RESIDUAL;
    case solve_goal::digits:
        return DDLA_GOAL_DIGITS;
    case solve_goal::least_squares:
        return DDLA_GOAL_LEAST_SQUARES;
    }
    return -1;
}

std::int32_t to_c(column_ordering o)
{
    switch (o) {
    case column_ordering::automatic:
        return DDLA_ORDERING_AUTOMATIC;
    case column_ordering::natural:
        return DDLA_ORDERING_NATURAL;
    case column_ordering::amd:
        return DDLA_ORDERING_AMD;
    case column_ordering::colamd:
        return DDLA_ORDERING_COLAMD;
    case column_ordering::rcm:
        return DDLA_ORDERING_RCM;
    case column_ordering::multicolour:
        return DDLA_ORDERING_MULTICOLOUR;
    case column_ordering::dissection:
        return DDLA_ORDERING_DISSECTION;
    }
    return -1;
}

std::int32_t to_c(factor_precision p)
{
    switch (p) {
    case factor_precision::automatic:
        return DDLA_FACTORS_AUTOMATIC;
    case factor_precision::in_double:
        return DDLA_FACTORS_IN_DOUBLE;
    case factor_precision::in_double_double:
        return DDLA_FACTORS_IN_DD;
    }
    return -1;
}

std::int32_t to_c(sparse_format f)
{
    switch (f) {
    case sparse_format::automatic:
        return DDLA_FORMAT_AUTOMATIC;
    case sparse_format::csr:
        return DDLA_FORMAT_CSR;
    case sparse_format::crs_scalar:
        return DDLA_FORMAT_CRS_SCALAR;
    case sparse_format::crs_vector:
        return DDLA_FORMAT_CRS_VECTOR;
    case sparse_format::crs_t:
        return DDLA_FORMAT_CRS_T;
    case sparse_format::evc_hyb:
        return DDLA_FORMAT_EVC_HYB;
    case sparse_format::slices:
        return DDLA_FORMAT_SLICES;
    case sparse_format::tiles:
        return DDLA_FORMAT_TILES;
    case sparse_format::patterns:
        return DDLA_FORMAT_PATTERNS;
    }
    return -1;
}

namespace {

/// The name of an enumerator, which lives as long as the library; null if there is none.
template <class E>
const char* name_of(std::int32_t wanted) noexcept
{
    try {
        return to_string(from_c<E>(wanted, "")).data();  // of a literal, which ends with a zero
    } catch (...) {
        return nullptr;
    }
}

}  // namespace

}  // namespace ddla::c

extern "C" {

const char* ddla_method_name(ddla_method method)
{
    return ddla::c::name_of<ddla::method>(method);
}

const char* ddla_solve_status_name(ddla_solve_status status)
{
    return ddla::c::name_of<ddla::solve_status>(status);
}
}
