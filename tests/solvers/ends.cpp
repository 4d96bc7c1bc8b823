// What only solves on the host do, and the words of reports.
#include "catch.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"

using ddla::method;
using ddla::preconditioning;
using ddla::solve_options;
using ddla::solve_status;

TEST_CASE("the host looks after each iteration unless it is told otherwise", "[solvers]")
{
    const auto a = ddla::generate::poisson2d(20, 20);
    std::vector<std::int64_t> seen;
    solve_options options{.method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 4};
    options.watch = [&](const ddla::solve_progress& p) {
        seen.push_back(p.iterations);
        return true;
    };
    for (const std::int64_t every : {0, 3, 1000}) {
        ddla::vector<double> x(a.rows());
        options.check_every = every;
        ddla::solve(a, ddla::vector<double>(a.rows(), 1.0), x, options);
    }
    CHECK(seen == std::vector<std::int64_t>{0, 1, 2, 3, 0, 3, 0});
}

TEST_CASE("names", "[solvers]")
{
    CHECK(to_string(method::bicgstab) == "bicgstab");
    CHECK(to_string(method::cg) == "cg");
    CHECK(to_string(preconditioning::none) == "none");
    CHECK(to_string(preconditioning::jacobi) == "jacobi");
    CHECK(to_string(solve_status::converged) == "converged");
    CHECK(to_string(solve_status::iteration_limit) == "iteration_limit");
    CHECK(to_string(solve_status::breakdown) == "breakdown");
    CHECK(to_string(solve_status::stagnated) == "stagnated");
    CHECK(to_string(solve_status::not_finite) == "not_finite");
}
