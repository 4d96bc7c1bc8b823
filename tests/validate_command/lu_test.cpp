// The factorisation over double and over MPFR, and the estimate of norms.
#include "catch.hpp"
#include "inverse_norm.hpp"
#include "rationals.hpp"
#include "sparse_lu.hpp"

#include "ddla/generate.hpp"

#include <numeric>

using namespace ddla::validate;
using namespace validate_test;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;

namespace {

std::vector<column_t> natural_order(index_t n)
{
    std::vector<column_t> order(std::size_t(n), 0);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

/// L U as a dense matrix, rows and columns as in A.
std::vector<std::vector<double>> product(const lu_factors<double>& f)
{
    const auto n = std::size_t(f.n);
    std::vector<std::vector<double>> l(n, std::vector<double>(n)), u = l, a = l;
    for (std::size_t k = 0; k < n; ++k) {
        l[k][k] = 1;
        u[k][k] = f.pivot[k];
        for (auto e = std::size_t(f.l_begin[k]); e < std::size_t(f.l_begin[k + 1]); ++e)
            l[std::size_t(f.l_row[e])][k] = f.l_value[e];
        for (auto e = std::size_t(f.u_begin[k]); e < std::size_t(f.u_begin[k + 1]); ++e)
            u[std::size_t(f.u_row[e])][k] = f.u_value[e];
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t k = 0; k <= std::min(i, j); ++k)
                a[std::size_t(f.row_of[i])][std::size_t(f.column_of[j])] += l[i][k] * u[k][j];
    return a;
}

double entry(const csr_matrix<double>& a, index_t i, index_t j)
{
    const auto m = a.view();
    for (index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
        if (m.column[k] == j) return m.value.get(k);
    return 0;
}

std::vector<csr_matrix<double>> systems()
{
    std::vector<csr_matrix<double>> all;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        all.push_back(ddla::generate::random(18, 4, 0.01, seed));
    all.push_back(ddla::generate::toeplitz(15, 2.5));
    all.push_back(ddla::generate::poisson2d(4, 5));
    all.push_back(hilbert(6));
    all.push_back(matrix({{0, 0, 3}, {2, 0, 1}, {0, -5, 1}}));
    return all;
}

}  // namespace

TEST_CASE("the factors multiply to the matrix")
{
    for (const auto& a : systems()) {
        const sparse_columns columns = columns_of(a);
        for (const double threshold : {1.0, 0.1}) {
            const auto f =
                factorise(columns, fill_reducing_order(columns), 0.0, {.threshold = threshold});
            REQUIRE(f.end == lu_end::complete);
            const auto again = product(f);
            for (index_t i = 0; i < a.rows(); ++i)
                for (index_t j = 0; j < a.rows(); ++j)
                    CHECK(std::abs(again[std::size_t(i)][std::size_t(j)] - entry(a, i, j)) < 1e-13);
            for (const double l : f.l_value) CHECK(std::abs(l) <= 1 / threshold);
        }
    }
}

TEST_CASE("the order is a permutation and keeps a grid sparse")
{
    const auto a = ddla::generate::poisson2d(30, 30);
    const sparse_columns columns = columns_of(a);
    auto order = fill_reducing_order(columns);
    const auto fill = factorise(columns, order, 0.0).entries();
    CHECK(3 * fill < 2 * factorise(columns, natural_order(900), 0.0).entries());
    std::sort(order.begin(), order.end());
    CHECK(order == natural_order(900));
}

TEST_CASE("a threshold takes the diagonal, and partial pivoting does not")
{
    const sparse_columns columns = columns_of(matrix({{1, 1}, {2, 1}}));
    CHECK(factorise(columns, natural_order(2), 0.0).row_of.front() == 1);
    CHECK(factorise(columns, natural_order(2), 0.0, {.threshold = 0.5}).row_of.front() == 0);
    CHECK(factorise(columns, natural_order(2), 0.0, {.threshold = 0.6}).row_of.front() == 1);
}

TEST_CASE("solutions over MPFR are those of exact rationals, transposed ones, too")
{
    for (const auto& a : systems()) {
        const sparse_columns columns = columns_of(a);
        const auto f = factorise(columns, fill_reducing_order(columns), mp_number(512));
        REQUIRE(f.end == lu_end::complete);
        const auto n = std::size_t(a.rows());
        ddla::vector<double> b(a.rows());
        for (index_t i = 0; i < b.size(); ++i) b[i] = 1 + double(i * i % 7);
        mp_vector right;
        for (const double e : b) right.push_back(mp_number(512, e));
        const auto x = f.solve(right), y = f.solve_transposed(right);
        const auto truth = exact_solution(exact_matrix(a), exact_vector(b));
        const auto other = exact_solution(exact_matrix(transpose(a)), exact_vector(b));
        for (std::size_t i = 0; i < n; ++i) {
            if (truth[i] != 0) CHECK(relative_error(x[i], truth[i]) < 1e-120);
            if (other[i] != 0) CHECK(relative_error(y[i], other[i]) < 1e-120);
        }
    }
}

TEST_CASE("a column without a pivot ends the factorisation and is named")
{
    // Column 2 of three has entries only where columns 0 and 1 need them.
    const sparse_columns structure =
        columns_of(matrix({{1, 2, 0, 0}, {0, 3, 1, 0}, {4, 0, 1, 0}, {0, 0, 0, 0}}));
    const auto f = factorise(structure, natural_order(4), 0.0);
    CHECK(f.end == lu_end::structurally_singular);
    CHECK(f.at == 3);
    const sparse_columns values = columns_of(matrix({{1, 2, 3}, {2, 4, 1}, {3, 6, 1}}));
    const auto g = factorise(values, natural_order(3), mp_number(128));
    CHECK(g.end == lu_end::zero_pivot);
    CHECK(g.at == 1);
    // Elimination in another order meets the dependence at another column.
    CHECK(factorise(values, {1, 2, 0}, mp_number(128)).at == 0);
    const auto counted = factorise(values, natural_order(3), 0.0, {.count_only = true});
    CHECK(counted.end == lu_end::complete);
    CHECK(counted.entries() == 9);
    const double huge = 1e308;
    const sparse_columns overflow = columns_of(matrix({{huge, huge}, {-huge, huge}}));
    CHECK(factorise(overflow, natural_order(2), 0.0).end == lu_end::not_finite);
    CHECK(factorise(overflow, natural_order(2), mp_number(128)).end == lu_end::complete);
}

TEST_CASE("empty rows and columns are named")
{
    CHECK(empty_line(columns_of(matrix({{1, 0}, {1, 0}}))) == "column 2 is empty");
    CHECK(empty_line(columns_of(matrix({{0, 0}, {1, 1}}))) == "row 1 is empty");
    CHECK(empty_line(columns_of(matrix({{0, 1}, {1, 0}}))) == "");
}

TEST_CASE("a watch stops the factorisation")
{
    const auto a = ddla::generate::poisson2d(10, 10);
    const sparse_columns columns = columns_of(a);
    index_t seen = -1;
    const auto f = factorise(columns, natural_order(100), 0.0,
                             {.watch = [&](index_t k, std::int64_t, std::int64_t) {
                                 seen = k;
                                 return k < 17;
                             }});
    CHECK(f.end == lu_end::stopped);
    CHECK(seen == 17);
}

TEST_CASE("operations are counted as they are done")
{
    // A dense matrix of size n: n (n - 1) / 2 divisions, (n - 1) n (2 n - 1) / 6 updates.
    const sparse_columns columns = columns_of(hilbert(9));
    const auto f = factorise(columns, natural_order(9), 0.0);
    CHECK(f.operations == 36 + 8 * 9 * 17 / 6);
    CHECK(f.entries() == 81);
}

TEST_CASE("the norm of an inverse is estimated from below, mostly exactly")
{
    int exact_ones = 0, cases = 0;
    for (const auto& a : systems()) {
        const auto truth = exact_matrix(a);
        mpq_class norm = 0;
        for (std::size_t k = 0; k < truth.size(); ++k) {
            mpq_class sum = 0;
            for (const mpq_class& e : exact_solution(truth, unit_vector(truth.size(), k)))
                sum += abs(e);
            if (sum > norm) norm = sum;
        }
        const sparse_columns columns = columns_of(a);
        const auto f = factorise(columns, fill_reducing_order(columns), mp_number(256));
        const mp_number estimate = norm_estimate(
            truth.size(), mp_number(256), [&](const mp_vector& x) { return f.solve(x); },
            [&](const mp_vector& x) { return f.solve_transposed(x); });
        const double share = to_double(estimate) / norm.get_d();
        INFO("share " << share);
        CHECK(share < 1 + 1e-12);
        CHECK(share > 1.0 / 3);
        exact_ones += share > 1 - 1e-12;
        ++cases;
    }
    CHECK(2 * exact_ones > cases);
}

TEST_CASE("double is one of the numbers of the estimate")
{
    // B = diag(1, 2, -7, 3).
    const std::vector<double> d{1, 2, -7, 3};
    const auto times = [&](std::vector<double> x) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] *= d[i];
        return x;
    };
    CHECK(norm_estimate(4, 0.0, times, times) == 7);
}
