// The A that a method is for, as the list of methods (ddla/method.hpp) has it, and what looks at
// it. Which preconditioner --precond auto chooses by it: tests/cli/method_test.cpp.  What
// iterations take: tests/solvers/costs.cpp.
#include "catch.hpp"
#include "struct_fields.hpp"

#include "ddla/ddla.hpp"

#include <string>

using namespace ddla;

namespace {

/// As their papers have it; a newer method has this in its own test (tests/cases/methods).
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
}

TEST_CASE("what the table of costs depends on")
{
    // Four vectors of LSMR have the length of a row.
    CHECK(detail::cost_of(method::lsmr, {.rows = 40, .columns = 10}).memory == 3);
    CHECK(detail::cost_of(method::automatic, {}).vectors == 19);
}

TEST_CASE("the page of methods has a line for each")
{
    const std::string page = described_test::source("docs/methods.md");
    for (const auto& [name, m] : method_names) {
        if (m == method::automatic || m == method::refinement || name == "fgmres") continue;
        INFO(name);
        CHECK(page.find("\n| `" + std::string(name)) != std::string::npos);
    }
}

TEST_CASE("a method for a square A refuses a rectangular one, others take it")
{
    for (const auto& [name, m] : method_names) {
        const std::string said = refusal_of_tall(m);
        INFO(name << ": " << said);
        CHECK(said.empty() == takes_any_shape(m));
        if (!said.empty()) CHECK(said.find("3 x 2") != std::string::npos);
    }
}
