// The A that a method is for and what its iterations take, as the list of methods (ddla/method.hpp)
// has them, and what looks at them.  Which preconditioner --precond auto chooses by it:
// tests/cli/method_test.cpp.
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

/// As docs/methods.md has them, of n rows and columns, l = 3, s = 5 and cycles of 7.
struct known_cost {
    method its;
    double products, vectors, vectors_with_jacobi;
    double memory, memory_with_k, memory_with_jacobi;
};
constexpr known_cost known_costs[] = {
    {method::bicgstab, 2, 19, 25, 6, 8, 9}, {method::cg, 1, 11, 13, 3, 4, 4},
    {method::fgmres, 1, 27, 29, 9, 17, 17}, {method::bicgstabl, 6, 104, 122, 10, 11, 12},
    {method::minres, 1, 19, 27, 6, 8, 9},   {method::idr, 6, 205, 224, 18, 19, 20},
    {method::lsmr, 2, 20, 20, 6, 6, 6},
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

TEST_CASE("an iteration takes what the table of methods says")
{
    for (const known_cost& known : known_costs) {
        INFO(to_string(known.its));
        const auto cost =
            detail::cost_of(known.its, {.rows = 50, .columns = 50, .cycle = 7, .l = 3, .s = 5});
        CHECK(cost.products == known.products);
        CHECK(cost.vectors == known.vectors);
        CHECK(cost.vectors_with_jacobi == known.vectors_with_jacobi);
        CHECK(cost.memory == known.memory);
        CHECK(cost.memory_with_k == known.memory_with_k);
        CHECK(cost.memory_with_jacobi == known.memory_with_jacobi);
    }
    // None is missing here: automatic and refinement do not iterate by themselves.
    CHECK(std::size(known_costs) + 2 == std::size(known_methods));
    // Four vectors of LSMR have the length of a row.
    CHECK(detail::cost_of(method::lsmr, {.rows = 40, .columns = 10}).memory == 3);
    CHECK(detail::cost_of(method::automatic, {}).vectors == 19);
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
