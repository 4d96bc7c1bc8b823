// What an iteration takes, as the list of methods has it (ddla/method.hpp), against what solves
// count: every method of the list.
#include "catch.hpp"
#include "support/function_maps.hpp"
#include "support/memory_of_solves.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"

#include <cmath>

using ddla::dd_real;
using ddla::method;
using ddla::preconditioning;

namespace {

constexpr double degree = 3, dimension = 5, length_of_cycle = 4;

ddla::solve_options options_of(method m, preconditioning p, double iterations)
{
    return {.method = m,
            .precond = p,
            .tolerance = 0,
            .max_iterations = static_cast<std::int64_t>(iterations),
            .restart = static_cast<std::int64_t>(length_of_cycle),
            .l = static_cast<std::int64_t>(degree),
            .s = static_cast<std::int64_t>(dimension)};
}

ddla::detail::method_cost cost_in_list(method m, double n)
{
    return ddla::detail::cost_of(
        m, {.rows = n, .columns = n, .cycle = length_of_cycle, .l = degree, .s = dimension});
}

/// A system of 600 rows, and what the iterations of a second cycle move, a mean; of methods without
/// cycles so many iterations.
struct counted_system {
    ddla::csr_matrix<double> a;
    double of_matrix = static_cast<double>(ddla::bytes_of_product<dd_real>(a)) - 2 * of_vector();

    double of_vector() const { return static_cast<double>(a.rows()) * sizeof(dd_real); }
    double bytes(method m, preconditioning p) const
    {
        const auto all = [&](double iterations) {
            const ddla::vector<dd_real> b = test::random_vector<dd_real>(a.rows(), 181, 0);
            ddla::vector<dd_real> x(a.columns());
            const auto report = ddla::solve(a, b, x, options_of(m, p, iterations));
            CHECK(static_cast<double>(report.iterations) == iterations);
            return iterations * static_cast<double>(report.bytes_per_iteration);
        };
        return (all(2 * length_of_cycle) - all(length_of_cycle)) / length_of_cycle;
    }
};

struct moved {
    double products, vectors;
};

/// Two systems of as many rows, so that products and vectors can be told apart.
moved moved_by(method m, preconditioning p)
{
    const counted_system flat{test::with_uneven_diagonal(ddla::generate::poisson2d(30, 20))};
    const counted_system solid{test::with_uneven_diagonal(ddla::generate::poisson3d(10, 10, 6))};
    const double of_flat = flat.bytes(m, p), of_solid = solid.bytes(m, p);
    moved found{};
    found.products = (of_solid - of_flat) / (solid.of_matrix - flat.of_matrix);
    // bytes_per_iteration is a whole number.
    found.products = std::round(found.products * length_of_cycle) / length_of_cycle;
    found.vectors = (of_flat - found.products * flat.of_matrix) / flat.of_vector();
    found.vectors = std::round(found.vectors * length_of_cycle) / length_of_cycle;
    return found;
}

/// Of the end of a cycle, which is no part of an iteration: docs/methods.md.  It moves m + 10
/// vectors; three of them make the next one, which the last iteration has left out.
moved at_end_of_cycle(method m)
{
    if (m != method::fgmres) return {0, 0};
    return {1 / length_of_cycle, (length_of_cycle + 10 - 3) / length_of_cycle};
}

}  // namespace

TEST_CASE("an iteration moves what the list of methods says", "[solvers]")
{
    for (const method m : test::krylov_methods)
        for (const auto p : {preconditioning::none, preconditioning::jacobi}) {
            if (test::takes_any_shape(m) && p != preconditioning::none) continue;
            INFO(to_string(m) << ", " << to_string(p));
            const auto listed = cost_in_list(m, 600);
            const moved found = moved_by(m, p), end = at_end_of_cycle(m);
            const bool jacobi = p == preconditioning::jacobi;
            CHECK(found.products - end.products == listed.products);
            CHECK(found.vectors - end.vectors ==
                  (jacobi ? listed.vectors_with_jacobi : listed.vectors));
        }
}

TEST_CASE("methods have the vectors in memory that the list says", "[solvers]")
{
    const auto a = ddla::generate::poisson3d(24, 24, 24);
    const auto k = test::preconditioner_by_function<dd_real>(a);
    const ddla::vector<dd_real> b(a.rows(), dd_real(1));
    for (const method m : test::krylov_methods)
        for (const bool has_object : {false, true}) {
            if (test::takes_any_shape(m) && has_object) continue;
            INFO(to_string(m) << (has_object ? ", with K" : ""));
            ddla::vector<dd_real> x(a.rows());
            const auto o = options_of(m, preconditioning::none, length_of_cycle);
            const std::size_t taken = has_object ? ddla::solve(a, k, b, x, o).peak_bytes
                                                 : ddla::solve(a, b, x, o).peak_bytes;
            // With A^T, which is kept, a method has two matrices.
            const auto rows = static_cast<std::size_t>(a.rows()),
                       entries = static_cast<std::size_t>(a.nonzeros());
            const std::size_t of_transposed =
                test::takes_any_shape(m) ? (rows + 1) * 8 + entries * 12 : 0;
            const auto listed = test::documented_bytes<dd_real>(a.view(), o, has_object);
            INFO(taken << " bytes of " << listed << " and " << of_transposed);
            CHECK(test::nearly(taken, listed + of_transposed));
        }
}
