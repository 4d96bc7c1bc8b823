// Solves of every size, and of systems whose rows are empty or very long.
#include "solves.hpp"
#include "support/kinds_of_rows.hpp"
#include "support/methods.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::with_values;

namespace {

/// Some iterations of each method with each preconditioner up to `last`.
template <class T, class V>
void compare_iterations(const ddla::csr_matrix<V>& a, std::int64_t count,
                        preconditioning last = preconditioning::jacobi)
{
    const auto b = test::random_vector<T>(a.rows(), 51, 0);
    const auto guess = test::random_vector<T>(a.rows(), 52, 0);
    for (const method m : test::square_methods())
        for (const preconditioning p : {preconditioning::none, preconditioning::jacobi}) {
            if (p > last) continue;
            // Only these two have schedules of their own; programs run a kernel a step.
            const bool is_scheduled = m == method::bicgstab || m == method::cg;
            const auto ways =
                a.rows() > 100000 || !is_scheduled ? test::few_ways() : test::every_way();
            INFO(to_string(m) << ", " << to_string(p) << ", " << a.rows() << " rows");
            test::compare_solve<T, V>(
                a, b, guess,
                {.method = m, .precond = p, .tolerance = 0, .max_iterations = count, .restart = 3},
                ways);
        }
}

}  // namespace

TEMPLATE_TEST_CASE("solves of every size", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t n : test::sizes()) {
        if (n == 0) continue;  // no grid has no points
        const auto line = test::with_uneven_diagonal(ddla::generate::poisson2d(n, 1));
        compare_iterations<T>(with_values<V>(line), n < 1000 ? 12 : 5);
    }
    compare_iterations<T>(with_values<V>(test::matrix_of({})), 5);
}

TEMPLATE_TEST_CASE("systems with empty rows", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t n : {4, 257, 65537, 1048577})
        compare_iterations<T>(with_values<V>(test::with_empty_rows(n)), 5, preconditioning::none);
}

TEMPLATE_TEST_CASE("systems with a dense row and column", "[device]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t n : {3, 257, 65537, 100001})
        compare_iterations<T>(with_values<V>(test::arrow_matrix(n)), 5);
}

TEMPLATE_TEST_CASE("rows with a power law of lengths", "[device]", double_double, dd_double)
{
    using T = typename TestType::scalar;
    compare_iterations<T>(ddla::generate::skewed(30000, 11, 1.0, 53), 5);
}

// For compute-sanitizer, too: every kind of kernel of a solve, on few tiles.
TEMPLATE_TEST_CASE("kernels of solves", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto short_rows = ddla::generate::convection_diffusion(11, 11, 11, 0.3, 0);
    const auto long_rows = test::arrow_matrix(700);
    for (const auto& pattern : {short_rows, long_rows}) {
        const auto a = with_values<V>(pattern);
        const auto b = test::random_vector<T>(a.rows(), 54, 0);
        const ddla::vector<T> guess(a.rows());
        for (const auto m : {ddla::method::bicgstab, ddla::method::cg})
            for (const auto p : {ddla::preconditioning::none, ddla::preconditioning::jacobi}) {
                const ddla::solve_options how{
                    .method = m, .precond = p, .tolerance = 0, .max_iterations = 2};
                test::compare_solve(a, b, guess, how, test::few_ways());
                // Sums after products, and within them, which compressed rows have not.
                for (const auto stored :
                     {ddla::sparse_format::slices, ddla::sparse_format::patterns})
                    if (stored == ddla::sparse_format::slices || test::why_no_patterns(a).empty())
                        test::compare_solve(
                            a, b, guess, how,
                            {{{.resident_tiles = -1, .sequence_tiles = INT64_MAX}, 0}}, stored);
            }
    }
}
