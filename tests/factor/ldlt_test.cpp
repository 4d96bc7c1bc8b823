// L D L^T: backward error and inertia against exact arithmetic, refusals.
#include "reference_answers/stored.hpp"
#include "support/exact_numbers.hpp"
#include "support/random.hpp"
#include "support/reference_errors.hpp"
#include "support/shapes.hpp"
#include "symmetric_systems.hpp"

#include "factor/supernodal/definite.hpp"

#include "factor/supernodal/symmetric.hpp"

#include "ddla/generate.hpp"

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;
using dd = ddla::dd_real;

namespace {

using test::exact_number;
using test::symmetric_on;

using table = std::vector<std::vector<exact_number>>;  // rows

table square(std::size_t n)
{
    return {n, std::vector<exact_number>(n)};
}
table product(const table& a, const table& b)
{
    table c = square(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (a[i][k].sign() == 0) continue;
            for (std::size_t j = 0; j < a.size(); ++j) c[i][j] = c[i][j] + a[i][k] * b[k][j];
        }
    return c;
}
table transposed(const table& a)
{
    table t = a;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j) t[j][i] = a[i][j];
    return t;
}
table magnitudes(table a)
{
    for (auto& row : a)
        for (exact_number& x : row) x = abs(x);
    return a;
}
exact_number largest_row_sum(const table& a)
{
    exact_number most;
    for (const auto& row : magnitudes(a)) {
        exact_number sum;
        for (const exact_number& x : row) sum = sum + x;
        if (most <= sum) most = sum;
    }
    return most;
}

/// L with a diagonal of 1, and D.
template <class F>
std::pair<table, table> tables_of(const symmetric_factors<F>& f)
{
    const index_t n = f.about().n;
    table l = square(as_size(n)), d = l;
    for (index_t i = 0; i < n; ++i) {
        const std::size_t k = as_size(i);
        for (index_t j = 0; j < i; ++j) l[k][as_size(j)] = exact_number(f.entry(i, j));
        l[k][k] = exact_number(1.0);
        d[k][k] = exact_number(f.pivots().diagonal.get(i));
        if (i + 1 < n) d[k][k + 1] = d[k + 1][k] = exact_number(f.pivots().beside.get(i));
    }
    return {l, d};
}

/// S A S in the order of pivots.
template <class F>
table scaled_matrix(const csr_matrix<dd>& a, const symmetric_factors<F>& f)
{
    std::vector<std::size_t> pivot(as_size(a.rows()));
    for (std::size_t k = 0; k < pivot.size(); ++k) pivot[as_size(f.row_of()[k])] = k;
    table s = square(pivot.size());
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t e = a.view().row_begin[i]; e < a.view().row_begin[i + 1]; ++e) {
            const auto j = as_size(a.view().column[e]);
            s[pivot[as_size(i)]][pivot[j]] = exact_number(scaled(
                rounded<F>(a.view().value.get(e)), f.exponent()[as_size(i)] + f.exponent()[j]));
        }
    return s;
}

/// The largest row sum of |S A S - L D L^T|, exactly, over what is claimed of it.  The claim must
/// be the largest row sum of |L| |D| |L|^T times what docs/certify.md says of n updates at most.
template <class F>
double share_of_bound(const csr_matrix<dd>& a)
{
    const auto f = symmetric_factors<F>::make(a.view(), {});
    REQUIRE(f.about().end == factor_end::complete);
    REQUIRE(f.about().replaced == 0);
    const auto [l, d] = tables_of(f);
    table rest = scaled_matrix(a, f);
    const table all = product(product(l, d), transposed(l));
    for (std::size_t i = 0; i < rest.size(); ++i)
        for (std::size_t j = 0; j < rest.size(); ++j) rest[i][j] = rest[i][j] - all[i][j];
    const exact_number claimed(f.backward_error_bound()),
        sizes = largest_row_sum(
            product(product(magnitudes(l), magnitudes(d)), transposed(magnitudes(l))));
    const bool in_double = sizeof(F) == 8;
    const double unit = in_double ? 0x1p-53 : 0x1p-106, least = in_double ? 71 : 324,
                 most = (in_double ? 1.0 : 4.0) * static_cast<double>(a.rows()) +
                        (in_double ? 70 : 320);
    CHECK(ratio(claimed, sizes) >= unit * least);
    CHECK(ratio(claimed, sizes) <= 1.2 * unit * most);
    return ratio(largest_row_sum(rest), claimed);
}

/// Pairs [a b; b c] with |a c| up to 0.4 b^2, and rows below all of them: what dividing by pairs
/// leaves is the most there can be.
csr_matrix<dd> pairs_with_rows(index_t pairs, index_t below, std::uint64_t seed)
{
    test::random_numbers random(seed);
    const index_t n = 2 * pairs + below;
    std::vector<std::vector<dd>> a(as_size(n), std::vector<dd>(as_size(n), dd(0)));
    const auto set = [&](index_t i, index_t j, dd v) {
        a[as_size(i)][as_size(j)] = a[as_size(j)][as_size(i)] = v;
    };
    const auto value = [&](double size) {
        return dd(random.real()) * size + random.real() * 0x1p-60;
    };
    for (index_t p = 0; p < 2 * pairs; p += 2) {
        set(p, p, value(0.6));
        set(p + 1, p, dd(1) / 1.1 + value(0.1));
        set(p + 1, p + 1, value(0.6));
    }
    for (index_t i = 2 * pairs; i < n; ++i) {
        set(i, i, dd(9));
        for (index_t j = 0; j < 2 * pairs; ++j) set(i, j, value(0.9));
    }
    return test::matrix_in(a);
}

/// By elimination of rationals, a row of zeros on the diagonal helped by another one.
inertia exact_inertia(std::vector<std::vector<mpq_class>> a)
{
    inertia found;
    const std::size_t n = a.size();
    const auto add = [&](std::size_t to, std::size_t from) {
        for (std::size_t k = 0; k < n; ++k) a[to][k] += a[from][k];
        for (std::size_t k = 0; k < n; ++k) a[k][to] += a[k][from];
    };
    std::vector<char> done(n, 0);
    for (std::size_t step = 0; step < n; ++step) {
        std::size_t p = n;
        for (std::size_t i = 0; i < n && p == n; ++i)
            if (done[i] == 0 && a[i][i] != 0) p = i;
        for (std::size_t i = 0; i < n && p == n; ++i)
            for (std::size_t j = 0; j < n && p == n; ++j)
                if (done[i] == 0 && done[j] == 0 && a[i][j] != 0) add(p = i, j);
        if (p == n) break;
        done[p] = 1;
        ++(a[p][p] > 0 ? found.positive : found.negative);
        for (std::size_t i = 0; i < n; ++i) {
            if (done[i] != 0) continue;
            const mpq_class factor = a[i][p] / a[p][p];
            for (std::size_t k = 0; k < n; ++k) a[i][k] -= factor * a[p][k];
        }
        for (std::size_t i = 0; i < n; ++i)
            if (i != p) a[p][i] = 0;
    }
    return found;
}

csr_matrix<double> symmetric_integers(index_t n, double density, std::uint64_t seed)
{
    test::random_numbers random(seed);
    std::vector<std::vector<double>> a(as_size(n), std::vector<double>(as_size(n), 0));
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j <= i; ++j)
            if (std::fabs(random.real()) < density)
                a[as_size(i)][as_size(j)] = a[as_size(j)][as_size(i)] =
                    static_cast<double>(random.below(19) - 9);
    std::vector<index_t> begin = {0};
    std::vector<ddla::column_t> column;
    std::vector<double> value;
    for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < n; ++j)
            if (a[as_size(i)][as_size(j)] != 0) {
                column.push_back(static_cast<ddla::column_t>(j));
                value.push_back(a[as_size(i)][as_size(j)]);
            }
        begin.push_back(static_cast<index_t>(column.size()));
    }
    ddla::vector<double> values(static_cast<index_t>(value.size()));
    for (std::size_t e = 0; e < value.size(); ++e) values.set(static_cast<index_t>(e), value[e]);
    return csr_matrix<double>(n, n, begin, column, std::move(values));
}

template <class F>
bool has_exact_inertia(const csr_matrix<double>& a, int& complete)
{
    const auto f = symmetric_factors<F>::make(a.view(), {});
    if (f.about().end != factor_end::complete || f.about().replaced > 0) return true;
    ++complete;
    std::vector<std::vector<mpq_class>> q(as_size(a.rows()),
                                          std::vector<mpq_class>(as_size(a.rows())));
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t e = a.view().row_begin[i]; e < a.view().row_begin[i + 1]; ++e)
            q[as_size(i)][as_size(a.view().column[e])] = a.view().value.get(e);
    const inertia truth = exact_inertia(q), &said = f.about().signs;
    return said.clear && said.positive == truth.positive && said.negative == truth.negative;
}

/// max |e_i| over max |x_i|.
template <class F>
double forward_error(const csr_matrix<double>& a, const symmetric_factors<F>& f,
                     const reference::answer& one)
{
    ddla::vector<dd> b(a.rows()), x(a.rows());
    for (index_t i = 0; i < a.rows(); ++i) b.set(i, dd(one.b[as_size(i)]));
    f.template solve<dd>(std::as_const(b).view(), x.view());
    return reference::errors_of(a, one.b, reference::solution_of(one), reference::widened(x))
        .normwise;
}

}  // namespace

TEST_CASE("the backward error of L D L^T is within its bound, exactly", "[factor][ldlt]")
{
    double most = 0, most_in_double = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const auto n = static_cast<index_t>(2 + seed);
        const auto a =
            symmetric_on(ddla::test::random_graph(n, 3 * n, seed), seed, seed % 3 == 0 ? 40 : 1);
        const auto f = symmetric_factors<dd>::make(a.view(), {});
        if (f.about().end != factor_end::complete || f.about().replaced > 0) continue;
        INFO("seed " << seed);
        const double share = share_of_bound<dd>(a), in_double = share_of_bound<double>(a);
        CHECK(share <= 1);
        CHECK(in_double <= 1);
        most = std::max(most, share);
        most_in_double = std::max(most_in_double, in_double);
    }
    CHECK(most > 1e-4);  // not absurd
    CHECK(most_in_double > 1e-4);
}

TEST_CASE("what divisions by pairs leave is in the bound", "[factor][ldlt]")
{
    using shape = std::pair<index_t, index_t>;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        for (const auto& [pairs, below] : {shape(1, 1), shape(1, 8), shape(8, 1), shape(6, 9)}) {
            INFO("seed " << seed << ", " << pairs << " pairs, rows below: " << below);
            const auto a = pairs_with_rows(pairs, below, seed);
            CHECK(share_of_bound<dd>(a) <= 1);
            CHECK(share_of_bound<double>(a) <= 1);
        }
}

TEST_CASE("the inertia of L D L^T is the exact one", "[factor][ldlt]")
{
    int in_double = 0, in_dd = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const auto a = symmetric_integers(static_cast<index_t>(2 + seed / 3), 0.35, seed);
        INFO("seed " << seed);
        CHECK(has_exact_inertia<double>(a, in_double));
        CHECK(has_exact_inertia<dd>(a, in_dd));
    }
    CHECK(in_double >= 30);
    CHECK(in_dd >= 30);
}

TEST_CASE("symmetry is seen with and without a diagonal", "[factor][ldlt]")
{
    const auto is = [](const std::vector<index_t>& begin, const std::vector<ddla::column_t>& column,
                       const std::vector<double>& value) {
        ddla::vector<double> values(static_cast<index_t>(value.size()));
        for (std::size_t e = 0; e < value.size(); ++e)
            values.set(static_cast<index_t>(e), value[e]);
        const auto n = static_cast<index_t>(begin.size()) - 1;
        return is_symmetric(csr_matrix<double>(n, n, begin, column, std::move(values)).view());
    };
    CHECK(is({0, 1, 2}, {1, 0}, {3, 3}));
    CHECK_FALSE(is({0, 1, 2}, {1, 0}, {3, 4}));
    CHECK(is({0, 1, 3, 4}, {2, 1, 2, 0}, {3, -1, 0, 3}));
    CHECK_FALSE(is({0, 1, 3, 4}, {2, 1, 2, 0}, {3, -1, 5, 3}));
    CHECK(is({0, 2, 4, 6}, {1, 2, 0, 2, 0, 1}, {1, 2, 1, 3, 2, 3}));
    CHECK_FALSE(is({0, 2, 4, 6}, {1, 2, 0, 2, 0, 1}, {1, 2, 1, 3, 2, 4}));
    CHECK_FALSE(is({0, 2, 3, 5}, {1, 2, 0, 0, 1}, {1, 2, 1, 2, 4}));
    CHECK_FALSE(is({0, 2, 4, 5}, {1, 2, 0, 2, 0}, {1, 2, 1, 4, 2}));
    CHECK(is({0, 2, 4}, {1, 0, 1, 0}, {2, -9, 9, 2}));  // columns that do not ascend
    CHECK_FALSE(is({0, 1, 2}, {0, 1}, {1, HUGE_VAL}));
    CHECK(is({0}, {}, {}));
}

TEST_CASE("symmetric factors refuse what they cannot do", "[factor][ldlt]")
{
    const auto grid = ddla::generate::convection_diffusion(4, 4, 4);
    CHECK(symmetric_factors<double>::make(grid.view(), {}).about().end ==
          factor_end::not_symmetric);
    // [0 1; 1 0] is a pair; [1 1; 1 1] has a pivot that is zero.
    const csr_matrix<double> exchange(2, 2, {0, 1, 2}, {1, 0}, {1, 1});
    const auto f = symmetric_factors<double>::make(exchange.view(), {});
    CHECK(f.about().end == factor_end::complete);
    CHECK(f.about().pairs == 1);
    CHECK(f.about().signs.positive == 1);
    CHECK(f.about().signs.negative == 1);
    const csr_matrix<double> ones(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 1, 1, 1});
    const auto replaced = symmetric_factors<dd>::make(ones.view(), {});
    CHECK(replaced.about().end == factor_end::complete);
    CHECK(replaced.about().replaced == 1);
    CHECK(std::isinf(replaced.backward_error_bound()));
    const csr_matrix<double> arrow(3, 3, {0, 1, 2, 4}, {2, 2, 0, 1}, {1, 1, 1, 1});
    CHECK(symmetric_factors<dd>::make(arrow.view(), {}).about().end == factor_end::no_pivots);
    const auto laplace = ddla::generate::poisson3d(12, 12, 12);
    const auto whole = symmetric_factors<double>::make(laplace.view(), {}).about();
    CHECK(whole.signs.positive == laplace.rows());
    const auto limited = [&](double operations, std::int64_t bytes) {
        return symmetric_factors<double>::make(laplace.view(),
                                               {.most_operations = operations, .most_bytes = bytes})
            .about()
            .end;
    };
    CHECK(limited(whole.operations, whole.bytes) == factor_end::complete);
    CHECK(limited(whole.operations - 1, whole.bytes) == factor_end::over_work);
    CHECK(limited(whole.operations, whole.bytes - 1) == factor_end::over_memory);
    double counted = 0;
    const auto left = symmetric_factors<double>::make(laplace.view(), {.is_wanted = [&](double n) {
                                                          counted = n;
                                                          return false;
                                                      }});
    CHECK(left.about().end == factor_end::unsuited);
    CHECK(counted == whole.operations);
    const auto stopped =
        symmetric_factors<double>::make(laplace.view(), {.watch = [](double) { return false; }});
    CHECK(stopped.about().end == factor_end::stopped);
    ddla::vector<double> b(laplace.rows());
    CHECK_THROWS_AS(stopped.solve<double>(std::as_const(b).view(), b.view()), ddla::input_error);
}

TEST_CASE("symmetric factors solve real systems", "[factor][ldlt][matrices]")
{
    int solved = 0;
    const int missing = reference::for_each_stored(true, [&](const auto& stored, const auto& a) {
        if (!reference::is_symmetric(a)) return;
        const auto f = symmetric_factors<dd>::make(a.view(), {.most_operations = 2e8});
        INFO(stored.matrix);
        if (f.about().end != factor_end::complete || f.about().replaced > 0) return;
        ++solved;
        if (stored.definite) CHECK(f.about().signs.positive == a.rows());
        for (const reference::answer& one : stored.all)
            CHECK(forward_error(a, f, one) <= 1e-25 * std::max(1.0, stored.kappa1.value));
    });
    if (missing > 0) SKIP_CASE(reference::reason_of(missing));
    CHECK(solved >= 20);
}
