// No iteration of a solve on the host allocates.
#include "support/allocations.hpp"
#include "catch.hpp"
#include "support/methods.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"

namespace {

using test::allocations;

struct counts {
    long by_iterations, in_all;
};

template <class T, class V>
counts allocations_of(const ddla::csr_matrix<V>& a, ddla::method m, ddla::preconditioning p)
{
    const ddla::vector<T> b(a.rows(), T(1));
    ddla::vector<T> x(a.rows());
    long first = -1, last = -1;
    const ddla::solve_options options{

        .method = m, .precond = p, .max_iterations = 6, .restart = 4, .watch = [&](const auto&) {
            last = allocations;
            if (first < 0) first = last;
            return true;
        }};
    const long before = allocations;
    const auto report = ddla::solve(a, b, x, options);
    CHECK(report.iterations == 6);
    return {last - first, allocations - before};
}

}  // namespace

TEMPLATE_TEST_CASE("iterations allocate nothing", "[solvers]", test::double_double, test::dd_double,
                   test::dd_dd)
{
    using T = typename TestType::scalar;
    // Enough rows for the threads to share them.
    auto a = test::with_values<typename TestType::value>(ddla::generate::poisson2d(200, 200));
    const int threads = ddla::host_threads();
    for (const auto format : {ddla::sparse_format::csr, ddla::sparse_format::slices,
                              ddla::sparse_format::tiles, ddla::sparse_format::patterns})
        for (const int wanted : {1, 3}) {
            ddla::set_format(a, {.format = format});
            ddla::set_host_threads(wanted);
            for (const auto m : test::square_methods())
                for (const auto p : {ddla::preconditioning::none, ddla::preconditioning::jacobi}) {
                    INFO(to_string(format) << ", threads: " << wanted << ", " << to_string(m)
                                           << ", " << to_string(p));
                    const counts n = allocations_of<T>(a, m, p);
                    CHECK(n.by_iterations == 0);
                    // Its vectors: what is counted is what allocates.
                    CHECK(n.in_all >= 4);
                }
        }
    ddla::set_host_threads(threads);
}
