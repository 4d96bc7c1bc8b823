// The A that a method is for, as the list of methods (ddla/method.hpp) has it, and what looks at
// it.  Which preconditioner --precond auto chooses by it: tests/cli/method_test.cpp.
#include "catch.hpp"

#include "ddla/ddla.hpp"

#include <iterator>
#include <string>

using namespace ddla;

namespace {

/// As their papers have it.
struct known_method {
    method its;
    matrix_kind kind;
    bool needs_symmetry, takes_any_shape;
};
constexpr known_method known_methods[] = {
    {method::automatic, matrix_kind::any_shape, false, true},
    {method::refinement, matrix_kind::any_shape, false, true},
    {method::bicgstab, matrix_kind::square, false, false},
    {method::cg, matrix_kind::positive_definite, true, false},
    {method::fgmres, matrix_kind::square, false, false},
    {method::bicgstabl, matrix_kind::square, false, false},
    {method::minres, matrix_kind::symmetric, true, false},
    {method::idr, matrix_kind::square, false, false},
    {method::lsmr, matrix_kind::any_shape, false, true},
};

/// Three equations, two unknowns.
csr_matrix<double> tall()
{
    return csr_matrix<double>(3, 2, {0, 1, 2, 4}, {0, 1, 0, 1}, {1.0, 2.0, 1.0, 1.0});
}

/// What a solve of a rectangular system says, "" if it was done.
std::string refusal_of_tall(method m)
{
    const vector<dd_real> b(3, 1.0);
    vector<dd_real> x(2);
    try {
        solve(tall(), b, x, {.method = m});
    } catch (const input_error& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("each method is for the A of its paper")
{
    for (const auto& [m, kind, needs, takes] : known_methods) {
        INFO(to_string(m));
        CHECK(matrix_kind_of(m) == kind);
        CHECK(needs_symmetry(m) == needs);
        CHECK(takes_any_shape(m) == takes);
    }
    // None is missing here: gmres, the last, is a second name.
    CHECK(std::size(known_methods) + 1 == std::size(method_names));
}

TEST_CASE("a method for a square A refuses a rectangular one, others take it")
{
    for (const auto& [m, kind, needs, takes] : known_methods) {
        const std::string said = refusal_of_tall(m);
        INFO(to_string(m) << ": " << said);
        CHECK(said.empty() == takes);
        if (!takes) CHECK(said.find("3 x 2") != std::string::npos);
    }
}
