// A solve by the public call at the place under test, and by the serial programs over QD.
#pragma once

#include "function_maps.hpp"
#include "place.hpp"
#include "random.hpp"
#include "serial_methods.hpp"
#include "serial_solvers.hpp"

#include "ddla/solve.hpp"

namespace test {

enum class kind { none, jacobi, function };

inline constexpr kind every_kind[] = {kind::none, kind::jacobi, kind::function};

/// A matrix on three diagonals, positive definite; symmetric if `above` is what is below.
inline ddla::csr_matrix<double> near_inverse(ddla::index_t n, double above = 0.05)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (ddla::index_t i = 0; i < n; ++i) {
        c.add(i, i, 0.3 + 0.01 * static_cast<double>(i % 7));
        if (i > 0) c.add(i, i - 1, 0.05);
        if (i + 1 < n) c.add(i, i + 1, above);
    }
    return ddla::csr_matrix<double>(c);
}

/// A system, and what solves it both ways.
template <class T>
struct both_ways {
    using Q = oracle::type<T>;
    ddla::csr_matrix<double> a;
    ddla::csr_matrix<double> near = near_inverse(a.rows());
    ddla::csr_matrix<double> transposed = ddla::transpose(a);
    ddla::vector<T> b = test::random_vector<T>(a.rows(), 151, 0);
    ddla::vector<T> guess = test::random_vector<T>(a.columns(), 152, 0);

    std::vector<Q> serial(kind k, const ddla::solve_options& o) const
    {
        using vector = std::vector<Q>;
        const vector d = k == kind::jacobi ? oracle::to(oracle::inverse_diagonal<T>(a)) : vector();
        const oracle::map_of<Q> multiply = [&](const vector& v) { return oracle::product(a, v); };
        const oracle::map_of<Q> with_transposed = [&](const vector& v) {
            return oracle::product(transposed, v);
        };
        const oracle::map_of<Q> precondition = [&](const vector& v) {
            if (k == kind::function) return oracle::product(near, v);
            vector z = v;
            for (std::size_t i = 0; i < d.size(); ++i) z[i] = d[i] * v[i];
            return z;
        };
        return oracle::serial_program<Q>(o.method)(
            {multiply, with_transposed, precondition, oracle::to(b), oracle::to(guess), o});
    }
    /// x by the public call.
    ddla::vector<T> solved(kind k, ddla::solve_options options) const
    {
        const ddla::place at = place_under_test();
        const auto a_there = a.to(at), near_there = near.to(at);
        const auto b_there = b.to(at);
        auto x = guess.to(at);
        options.tolerance = 0;
        options.precond =
            k == kind::jacobi ? ddla::preconditioning::jacobi : ddla::preconditioning::none;
        ddla::preconditioner<T> object;
        if (k == kind::function) object = test::preconditioner_by_function<T>(near_there);
        const auto report = ddla::solve(a_there, object, b_there, x, options);
        CHECK(report.iterations == options.max_iterations);
        return x.to(ddla::host);
    }
    void check(kind k, const ddla::solve_options& options) const
    {
        INFO(to_string(options.method)
             << ", preconditioner " << int(k) << ", l " << options.l << ", s " << options.s
             << ", restart " << options.restart << ", iterations " << options.max_iterations);
        CHECK(::same_bits(solved(k, options), serial(k, options)));
    }
};

}  // namespace test
