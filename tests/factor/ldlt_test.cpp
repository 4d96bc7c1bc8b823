// L D L^T: bits, backward error and inertia against exact arithmetic, refusals.
#include "reference_answers/stored.hpp"
#include "serial_ldlt.hpp"
#include "support/everywhere.hpp"
#include "support/exact_numbers.hpp"
#include "support/random.hpp"
#include "support/reference_errors.hpp"

#include "factor/symmetric/ldlt_bound.hpp"
#include "factor/symmetric/symmetric.hpp"

#include "ddla/generate.hpp"

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;
using dd = ddla::dd_real;

namespace {

struct random_system {
    sparse_columns<dd> lower;  ///< with a full diagonal
    pivot_blocks blocks;
};

/// A random pattern with blocks of one and two; pairs have their entry off the diagonal.
random_system random_symmetric(index_t n, double density, std::uint64_t seed, int spread)
{
    test::random_numbers random(seed);
    random_system s;
    std::vector<char> pair(as_size(n), 0);
    for (index_t k = 0; k < n; k += 1 + pair[as_size(k)]) {
        s.blocks.push_back(static_cast<ddla::column_t>(k));
        pair[as_size(k)] = k + 1 < n && random.below(2) == 0;
    }
    s.blocks.push_back(static_cast<ddla::column_t>(n));
    sparse_columns<dd>& a = s.lower;
    a.rows = a.columns = n;
    a.begin = {0};
    for (index_t j = 0; j < n; ++j) {
        for (index_t i = j; i < n; ++i) {
            const bool needed = i == j || (i == j + 1 && pair[as_size(j)] != 0);
            if (!needed && std::fabs(random.real()) > density) continue;
            dd v;
            random.make(v, spread);
            a.row.push_back(static_cast<ddla::column_t>(i));
            a.value.push_back(v);
        }
        a.begin.push_back(a.entries());
    }
    return s;
}

template <class F>
sparse_columns<F> in(const sparse_columns<dd>& a)
{
    sparse_columns<F> b{a.rows, a.columns, a.begin, a.row, {}};
    b.value.resize(a.entries());
    for (index_t e = 0; e < a.entries(); ++e) b.value.set(e, rounded<F>(a.value.get(e)));
    return b;
}

/// L as a dense matrix with ones; D as dense.
template <class X, class F>
struct dense_factors {
    std::vector<std::vector<X>> l, d;

    dense_factors(const ldlt_pattern& p, const ldlt_values<F>& f)
        : l(as_size(p.size()), std::vector<X>(as_size(p.size()), X(0.0))), d(l)
    {
        for (std::size_t s = 0; s < as_size(p.supernodes()); ++s)
            for (auto k = p.first_column[s]; k < p.first_column[s + 1]; ++k) {
                index_t e = p.value_begin[as_size(k)];
                l[as_size(k)][as_size(k)] = X(1.0);
                d[as_size(k)][as_size(k)] = to(f.d.get(k));
                if (p.starts_pair(k))
                    d[as_size(k)][as_size(k) + 1] = d[as_size(k) + 1][as_size(k)] =
                        to(f.beside.get(k));
                for (auto i = k + 1; i <= p.last_column(s); ++i)
                    l[as_size(i)][as_size(k)] = to(f.l.get(e++));
                for (index_t r = p.row_begin[s]; r < p.row_begin[s + 1]; ++r)
                    l[as_size(p.row[as_size(r)])][as_size(k)] = to(f.l.get(e++));
            }
    }
    static X to(const F& x)
    {
        if constexpr (std::is_same_v<X, test::exact_number>)
            return X(x);
        else
            return oracle::to(x);
    }
};

template <class F>
ldlt_pattern pattern_for(const sparse_columns<F>& a, const pivot_blocks& blocks)
{
    return pattern_of_ldlt(pattern_of(a), blocks, HUGE_VAL, INT64_MAX, sizeof(F));
}

template <class F>
void check_bits(const random_system& s)
{
    using Q = oracle::type<F>;
    const auto a = in<F>(s.lower);
    const auto p = pattern_for(a, s.blocks);
    const auto f = factorise_symmetric(a, p);
    REQUIRE(f.end == factor_end::complete);
    oracle::dense<Q> q(as_size(a.columns), std::vector<Q>(as_size(a.columns), Q(0.0)));
    for (index_t j = 0; j < a.columns; ++j)
        for (index_t e = a.begin[as_size(j)]; e < a.begin[as_size(j) + 1]; ++e)
            q[as_size(a.row[as_size(e)])][as_size(j)] = oracle::to(a.value.get(e));
    const auto truth = oracle::factorise_symmetric(q, {s.blocks.begin(), s.blocks.end()});
    const dense_factors<Q, F> mine(p, f);
    int wrong = 0;
    for (std::size_t i = 0; i < q.size(); ++i)
        for (std::size_t k = 0; k <= i; ++k)
            wrong += !(mine.l[i][k] == truth.l[i][k]) + !(mine.d[i][k] == truth.d[i][k]);
    CHECK(wrong == 0);
}

using test::exact_number;

/// The largest row sum of |A - L D L^T|, exactly, over what is claimed of it.
double share_of_bound(const random_system& s)
{
    const auto& a = s.lower;
    const auto p = pattern_for(a, s.blocks);
    const auto f = factorise_symmetric(a, p, true);
    REQUIRE(f.end == factor_end::complete);
    const dense_factors<exact_number, dd> x(p, f);
    const std::size_t n = as_size(a.columns);
    std::vector<std::vector<exact_number>> ld(n, std::vector<exact_number>(n)), e = ld;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t m = k == 0 ? 0 : k - 1; m < std::min(n, k + 2); ++m)
                ld[i][k] = ld[i][k] + x.l[i][m] * x.d[m][k];
    for (index_t j = 0; j < a.columns; ++j)
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k)
            e[as_size(a.row[as_size(k)])][as_size(j)] = exact_number(a.value.get(k));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            for (std::size_t k = 0; k < n; ++k) e[i][j] = e[i][j] - ld[i][k] * x.l[j][k];
            e[j][i] = e[i][j];
        }
    exact_number most;
    for (std::size_t i = 0; i < n; ++i) {
        exact_number sum;
        for (std::size_t j = 0; j < n; ++j) sum = sum + abs(e[i][j]);
        if (most <= sum) most = sum;
    }
    return ratio(most, exact_number(backward_error_bound(p, f)));
}

/// Pairs [a b; b c] that are singular but for e, and rows below all of them, with L of the size of
/// A: dividing by a pair leaves about 2^-104 / e of them, far above the roundings of |L| |D| |L|^T.
random_system nearly_singular(double e, index_t pairs, index_t below)
{
    const dd a = dd(1) / 3, b = a + a * e, c = a + a * (3 * e);
    const index_t n = 2 * pairs + below;
    const auto entry = [&](index_t i, index_t j) {
        const bool is_second = j % 2 == 1;
        if (j >= 2 * pairs) return i == j ? dd(9) : dd(0);
        if (i >= 2 * pairs)
            return (is_second ? b : a) / 7 + (is_second ? c : b) / static_cast<double>(5 + i);
        return i == j ? (is_second ? c : a) : i == j + 1 && !is_second ? b : dd(0);
    };
    random_system s{{n, n, {0}, {}, {}}, {}};
    for (index_t j = 0; j < n; ++j) {
        for (index_t i = j; i < n; ++i) {
            if (entry(i, j) == 0) continue;
            s.lower.row.push_back(static_cast<ddla::column_t>(i));
            s.lower.value.push_back(entry(i, j));
        }
        s.lower.begin.push_back(s.lower.entries());
        if (j % 2 == 0 || j >= 2 * pairs) s.blocks.push_back(static_cast<ddla::column_t>(j));
    }
    s.blocks.push_back(static_cast<ddla::column_t>(n));
    return s;
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
    if (f.about().end != factor_end::complete) return true;
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

TEST_CASE("L D L^T has the bits of the serial program", "[factor]")
{
    test::everywhere([] {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const auto s = random_symmetric(static_cast<index_t>(3 * seed), 0.15, seed, 3);
            check_bits<double>(s);
            check_bits<dd>(s);
        }
    });
}

TEST_CASE("the backward error of L D L^T is within its bound, exactly", "[factor]")
{
    double most = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const int spread = seed % 3 == 0 ? 40 : 1;
        const auto s = random_symmetric(static_cast<index_t>(2 + seed), 0.3, seed, spread);
        const double share = share_of_bound(s);
        CHECK(share <= 1);
        most = std::max(most, share);
    }
    CHECK(most > 1e-4);  // not absurd
    // Pairs that are nearly singular: dividing by them leaves more than rounding.
    for (const double e : {0x1p-20, 0x1p-50, 0x1p-80}) {
        random_system s{{3, 3, {0, 3, 5, 6}, {0, 1, 2, 1, 2, 2}, {}}, {0, 2, 3}};
        for (const dd v : {dd(1), dd(1, e), dd(1) / 3, dd(1), dd(1) / 7, dd(1)})
            s.lower.value.push_back(v + dd(0));
        CHECK(share_of_bound(s) <= 1);
    }
}

TEST_CASE("what divisions by nearly singular pairs leave is in the bound", "[factor]")
{
    using shape = std::pair<index_t, index_t>;
    for (const double e : {0x1p-20, 0x1p-50, 0x1p-80})
        for (const auto& [pairs, below] : {shape(1, 1), shape(1, 8), shape(8, 1)}) {
            INFO("e = " << e << ", " << pairs << " pairs, rows below: " << below);
            const double share = share_of_bound(nearly_singular(e, pairs, below));
            CHECK(share <= 1);
            CHECK(share > 0.1);  // what is left is most of the bound
        }
}

TEST_CASE("the inertia of L D L^T is the exact one", "[factor]")
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

TEST_CASE("symmetric factors refuse what they cannot do", "[factor]")
{
    const auto grid = ddla::generate::convection_diffusion(4, 4, 4);
    CHECK(symmetric_factors<double>::make(grid.view(), {}).about().end ==
          factor_end::not_symmetric);
    // [0 1; 1 0] has pairs only; [1 1; 1 1] has a pivot that is zero.
    const csr_matrix<double> exchange(2, 2, {0, 1, 2}, {1, 0}, {1, 1});
    const auto f = symmetric_factors<double>::make(exchange.view(), {});
    CHECK(f.about().end == factor_end::complete);
    CHECK(f.about().pairs == 1);
    CHECK(f.about().signs.positive == 1);
    CHECK(f.about().signs.negative == 1);
    CHECK(symmetric_factors<double>::make(exchange.view(), {.pair = false}).about().end ==
          factor_end::singular);
    const csr_matrix<double> ones(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 1, 1, 1});
    CHECK(symmetric_factors<dd>::make(ones.view(), {}).about().end == factor_end::singular);
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
    const auto stopped =
        symmetric_factors<double>::make(laplace.view(), {.watch = [](double) { return false; }});
    CHECK(stopped.about().end == factor_end::stopped);
    ddla::vector<double> b(laplace.rows());
    CHECK_THROWS_AS(stopped.solve<double>(std::as_const(b).view(), b.view()), ddla::input_error);
}

TEST_CASE("symmetric factors solve real systems", "[factor][matrices]")
{
    int solved = 0;
    const int missing = reference::for_each_stored(true, [&](const auto& stored, const auto& a) {
        if (!reference::is_symmetric(a)) return;
        const auto f = symmetric_factors<dd>::make(a.view(), {.most_operations = 2e8});
        INFO(stored.matrix);
        if (f.about().end != factor_end::complete) return;
        ++solved;
        if (stored.definite) CHECK(f.about().signs.positive == a.rows());
        for (const reference::answer& one : stored.all)
            CHECK(forward_error(a, f, one) <= 1e-25 * std::max(1.0, stored.kappa1.value));
    });
    if (missing > 0) SKIP_CASE(reference::reason_of(missing));
    CHECK(solved >= 20);
}
