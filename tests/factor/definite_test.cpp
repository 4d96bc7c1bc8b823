// L L^T by supernodes: bits, answers, what is refused, limits.
#include "definite_systems.hpp"
#include "serial_llt.hpp"
#include "support/everywhere.hpp"
#include "support/exact_numbers.hpp"

#include "engine/host_loops.hpp"
#include "factor/supernodal/definite.hpp"

#include "ddla/generate.hpp"

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;
using dd = ddla::dd_real;

namespace {

/// Which share also little work.
definite_options on_threads()
{
    definite_options o;
    o.run = {ddla::host_threads(), ddla::run_on_host, 1};
    return o;
}

/// P S A S P^T of the factors, in their numbers.
template <class F, class V>
oracle::dense<oracle::type<F>> factored_matrix(const csr_matrix<V>& a, const definite_factors<F>& f)
{
    using Q = oracle::type<F>;
    const std::size_t n = as_size(a.rows());
    std::vector<std::size_t> place(n);
    for (std::size_t k = 0; k < n; ++k) place[as_size(f.parts().order[k])] = k;
    oracle::dense<Q> q(n, std::vector<Q>(n, Q(0.0)));
    const auto rows = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e) {
            const auto j = as_size(rows.column[e]);
            q[place[as_size(i)]][place[j]] =
                oracle::scaled(oracle::to(rounded<F>(rows.value.get(e))),
                               f.exponent()[as_size(i)] + f.exponent()[j]);
        }
    return q;
}

template <class Q, class F>
int differing(const oracle::dense<Q>& truth, const definite_factors<F>& f)
{
    int count = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            count += !(truth[i][j] ==
                       oracle::to(f.entry(static_cast<index_t>(i), static_cast<index_t>(j))));
    return count;
}

template <class F>
void check_bits(const csr_matrix<dd>& a)
{
    const auto f = definite_factors<F>::make(a.view(), on_threads());
    REQUIRE(f.about().end == factor_end::complete);
    int bad = 0;
    const auto truth = oracle::factorise_definite(factored_matrix(a, f), bad);
    CHECK(bad == -1);
    CHECK(differing(truth, f) == 0);
}

oracle::dense<::dd_real> widened(const oracle::dense<double>& l)
{
    oracle::dense<::dd_real> wide;
    for (const auto& row : l) wide.emplace_back(row.begin(), row.end());
    return wide;
}
oracle::dense<::dd_real> widened(const oracle::dense<::dd_real>& l)
{
    return l;
}

/// b of elements from 1/2 to 1, so that it is scaled by what A is alone.
template <class T>
ddla::vector<T> right_hand_side(index_t n)
{
    ddla::vector<T> b(n);
    for (index_t i = 0; i < n; ++i) b.set(i, T(1) / T(1.0 + static_cast<double>(i % 8) / 8));
    return b;
}

/// x of f.solve beside the serial program; W: what both compute in.
template <class W, class F>
void check_solve(const csr_matrix<dd>& a)
{
    const auto f = definite_factors<F>::make(a.view(), on_threads());
    int bad = 0;
    const auto l = oracle::factorise_definite(factored_matrix(a, f), bad);
    const ddla::vector<W> b = right_hand_side<W>(a.rows());
    ddla::vector<W> x(a.rows());
    f.template solve<W>(b.view(), x.view());
    int common = -100000;
    for (index_t i = 0; i < a.rows(); ++i) {
        int e;
        std::frexp(oracle::magnitude(oracle::to(W(b[i]))), &e);
        common = std::max(common, e + f.exponent()[as_size(i)]);
    }
    using Q = oracle::type<W>;
    std::vector<Q> y;
    for (const auto i : f.parts().order)
        y.push_back(oracle::scaled(oracle::to(W(b[i])), f.exponent()[as_size(i)] - common));
    if constexpr (std::is_same_v<W, dd>)
        oracle::solve_definite(f.parts(), widened(l), y);
    else
        oracle::solve_definite(f.parts(), l, y);
    int wrong = 0;
    for (std::size_t k = 0; k < y.size(); ++k) {
        const auto i = f.parts().order[k];
        wrong += !(oracle::to(W(x[i])) == oracle::scaled(y[k], f.exponent()[as_size(i)] + common));
    }
    CHECK(wrong == 0);
}

/// Several systems beside each by itself, with numbers of very different size in each.
template <class T, class F>
void check_systems(const definite_factors<F>& f, index_t systems)
{
    const index_t n = f.about().n;
    test::random_numbers random(static_cast<std::uint64_t>(systems));
    ddla::vector<T> b(n * systems), single(n * systems);
    for (index_t i = 0; i < b.size(); ++i) {
        dd v;
        random.make(v, 40);
        b.set(i, i % 5 == 0 ? T(-0.0) : rounded<T>(v * std::ldexp(1.0, 100 * int(i / n))));
    }
    for (index_t s = 0; s < systems; ++s)
        f.template solve<T>(std::as_const(b).view().part(s * n, n), single.view().part(s * n, n));
    f.template solve<T>(std::as_const(b).view(), b.view());
    int wrong = 0;
    for (index_t i = 0; i < b.size(); ++i) wrong += !(b[i] == single[i]);
    CHECK(wrong == 0);
}

template <class F>
std::vector<F> all_entries(const csr_matrix<dd>& a)
{
    const auto f = definite_factors<F>::make(a.view(), on_threads());
    const supernodes& s = f.parts();
    std::vector<F> all;
    for (ddla::column_t q = 0; q < s.size(); ++q)
        for (auto j = s.first[as_size(q)]; j < s.first[as_size(q) + 1]; ++j) {
            for (auto i = j; i < s.first[as_size(q) + 1]; ++i) all.push_back(f.entry(i, j));
            for (ddla::column_t r = 0; r < s.below(q); ++r) all.push_back(f.entry(s.rows(q)[r], j));
        }
    return all;
}

factor_end end_of(const csr_matrix<double>& a)
{
    return definite_factors<double>::make(a.view(), {}).about().end;
}

}  // namespace

TEST_CASE("L L^T has the bits of the serial program", "[factor][definite]")
{
    const auto graphs = test::graphs_of_all_shapes();
    test::everywhere([&] {
        std::uint64_t seed = 0;
        for (const auto& e : graphs) {
            INFO(e.rows.size() << " columns");
            const auto a = test::definite_on(e, ++seed);
            check_bits<double>(a);
            check_bits<dd>(a);
        }
    });
}

TEST_CASE("solves by L L^T have the bits of the serial program", "[factor][definite]")
{
    const auto graphs = test::graphs_of_all_shapes();
    test::everywhere([&] {
        std::uint64_t seed = 100;
        for (const auto& e : graphs) {
            INFO(e.rows.size() << " columns");
            const auto a = test::definite_on(e, ++seed);
            check_solve<double, double>(a);
            check_solve<dd, double>(a);
            check_solve<dd, dd>(a);
        }
    });
}

TEST_CASE("several systems have the bits of each by itself", "[factor][definite]")
{
    auto graphs = test::graphs_of_all_shapes();
    graphs.push_back(ddla::test::grid(40, 30, 1));
    graphs.push_back(test::full_parts());
    test::everywhere([&] {
        std::uint64_t seed = 200;
        for (const auto& e : graphs) {
            INFO(e.rows.size() << " columns");
            const auto a = test::definite_on(e, ++seed);
            const auto f = definite_factors<double>::make(a.view(), on_threads());
            const auto g = definite_factors<dd>::make(a.view(), on_threads());
            for (const index_t systems : {0, 1, 2, 3, 4, 5, 10}) {
                INFO(systems << " systems");
                check_systems<double>(f, systems);
                check_systems<dd>(f, systems);
                check_systems<double>(g, systems);
                check_systems<dd>(g, systems);
            }
        }
    });
}

TEST_CASE("large solves by L L^T have the same bits for all threads and instruction sets",
          "[factor][definite]")
{
    for (const auto& e : {ddla::test::grid(70, 60, 1), ddla::test::grid(12, 13, 14),
                          test::full_parts(), ddla::test::in_parts(40)}) {
        const auto a = test::definite_on(e, 10);
        const auto serial = definite_factors<double>::make(a.view(), {});
        ddla::vector<double> x(2 * a.rows());
        const auto b = right_hand_side<double>(x.size());
        serial.solve<double>(b.view().part(0, a.rows()), x.view().part(0, a.rows()));
        serial.solve<double>(b.view().part(a.rows(), a.rows()), x.view().part(a.rows(), a.rows()));
        test::everywhere([&] {
            const auto f = definite_factors<double>::make(a.view(), on_threads());
            ddla::vector<double> mine(x.size()), alone(a.rows());
            f.solve<double>(b.view(), mine.view());
            f.solve<double>(b.view().part(0, a.rows()), alone.view());
            int wrong = 0;
            for (index_t i = 0; i < x.size(); ++i) wrong += !(mine[i] == x[i]);
            for (index_t i = 0; i < a.rows(); ++i) wrong += !(alone[i] == x[i]);
            CHECK(wrong == 0);
        });
    }
}

TEST_CASE("solves by L L^T refuse sizes that do not fit", "[factor][definite]")
{
    const auto a = test::definite_on(ddla::test::grid(3, 3, 1), 1);
    const auto f = definite_factors<double>::make(a.view(), {});
    const auto solve = [&](index_t of_b, index_t of_x) {
        const ddla::vector<double> b(of_b);
        ddla::vector<double> x(of_x);
        f.solve<double>(b.view(), x.view());
    };
    CHECK_THROWS_AS(solve(8, 8), ddla::input_error);
    CHECK_THROWS_AS(solve(9, 18), ddla::input_error);
    CHECK_THROWS_AS(solve(20, 20), ddla::input_error);
    CHECK_NOTHROW(solve(18, 18));
}

TEST_CASE("large L L^T has the same bits for all threads and instruction sets",
          "[factor][definite]")
{
    for (const auto& e : {ddla::test::grid(14, 14, 14), test::full_parts()}) {
        const auto a = test::definite_on(e, 9);
        std::vector<double> first;
        std::vector<dd> first_in_dd;
        test::everywhere([&] {
            const auto mine = all_entries<double>(a);
            const auto mine_in_dd = all_entries<dd>(a);
            if (first.empty()) {
                first = mine;
                first_in_dd = mine_in_dd;
            }
            CHECK(mine == first);
            CHECK(mine_in_dd == first_in_dd);
        });
    }
}

TEST_CASE("the update in double-double is within its bound, exactly", "[factor][definite]")
{
    using test::exact_number;
    test::random_numbers random(17);
    double most = 0;
    for (int k = 0; k < 100000; ++k) {
        dd l, u, c;
        random.make(l, 3);
        random.make(u, 3);
        random.make(c, 60);
        // A third cancels: the whole product, or all of it but a few bits.
        if (k % 3 == 0) c = l * u * (1 + (k % 2 == 0 ? 0 : random.real() * 0x1p-50));
        const dd x = oracle::from(oracle::update(oracle::to(l), oracle::to(u), oracle::to(c)));
        const exact_number product = exact_number(l) * exact_number(u);
        const exact_number error = abs(exact_number(c) - product - exact_number(x));
        const exact_number bound =
            (exact_number(dd(4)) * abs(exact_number(c)) + exact_number(dd(14)) * abs(product)) *
            exact_number(dd(0x1p-106));
        most = std::max(most, ratio(error, bound));
    }
    CHECK(most <= 1);
    CHECK(most > 0.2);  // not absurd
}

TEST_CASE("L L^T is within its proved bound of the matrix", "[factor][definite]")
{
    const auto check = [](const auto& a, auto number, double absurd) {
        using F = decltype(number);
        using test::exact_number;
        const auto f = definite_factors<F>::make(a.view(), on_threads());
        const auto matrix = factored_matrix(a, f);
        const std::size_t n = matrix.size();
        double most = 0;
        for (std::size_t i = 0; i < n; ++i) {
            exact_number sum;
            for (std::size_t j = 0; j < n; ++j) {
                const std::size_t x = std::max(i, j), y = std::min(i, j);
                exact_number rest(oracle::from(matrix[x][y]));
                for (std::size_t k = 0; k <= y; ++k)
                    rest = rest - exact_number(f.entry(index_t(x), index_t(k))) *
                                      exact_number(f.entry(index_t(y), index_t(k)));
                sum = sum + abs(rest);
            }
            most = std::max(most, ratio(sum, exact_number(dd(1))));
        }
        CHECK(most > 0);
        CHECK(most <= f.backward_error_bound());
        CHECK(f.backward_error_bound() < absurd);
    };
    for (const auto& e : {ddla::test::grid(6, 7, 1), ddla::test::complete(50),
                          ddla::test::random_graph(60, 200, 5)}) {
        const auto a = test::definite_on(e, 31);
        check(a, double(), 1e-12);
        check(a, dd(), 1e-27);
    }
}

TEST_CASE("L L^T ends at a pivot that is not positive, the first one", "[factor][definite]")
{
    test::everywhere([] {
        const auto a = test::definite_on(ddla::test::grid(12, 12, 1), 5, 70);
        const auto f = definite_factors<double>::make(a.view(), on_threads());
        CHECK(f.about().end == factor_end::not_definite);
        int bad = 0;
        (void)oracle::factorise_definite(factored_matrix(a, f), bad);
        REQUIRE(bad >= 0);
        CHECK(f.about().bad_row == f.parts().order[as_size(bad)]);
        ddla::vector<double> x(a.rows());
        CHECK_THROWS_AS(f.solve<double>(std::as_const(x).view(), x.view()), ddla::input_error);
    });
}

TEST_CASE("L L^T refuses what cannot be definite, before any work", "[factor][definite]")
{
    CHECK(end_of(ddla::generate::convection_diffusion(4, 4, 4)) == factor_end::not_symmetric);
    using matrix = csr_matrix<double>;
    CHECK(end_of(matrix(2, 2, {0, 1, 2}, {1, 0}, {1, 1})) == factor_end::not_definite);
    CHECK(end_of(matrix(2, 2, {0, 1, 2}, {0, 1}, {1, -1})) == factor_end::not_definite);
    CHECK(end_of(matrix(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 2, 3, 9})) == factor_end::not_symmetric);
    CHECK(end_of(matrix(2, 2, {0, 2, 3}, {0, 1, 1}, {1, 2, 9})) == factor_end::not_symmetric);
    CHECK(end_of(matrix(2, 2, {0, 1, 3}, {0, 0, 1}, {1, 2, 9})) == factor_end::not_symmetric);
    CHECK(end_of(matrix(2, 2, {0, 1, 2}, {0, 1}, {1, HUGE_VAL})) == factor_end::not_finite);
    CHECK(end_of(matrix(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 2, 2, 1})) == factor_end::not_definite);
    CHECK(end_of(matrix(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 1, 1, 1})) == factor_end::not_definite);
    CHECK_THROWS_AS(end_of(matrix(1, 2, {0, 1}, {0}, {1})), ddla::input_error);
    // Zeros that are stored on one side, columns that do not ascend, an entry in two parts.
    CHECK(end_of(matrix(2, 2, {0, 2, 3}, {0, 1, 1}, {1, 0, 9})) == factor_end::complete);
    CHECK(end_of(matrix(2, 2, {0, 1, 3}, {0, 0, 1}, {1, 0, 9})) == factor_end::complete);
    CHECK(end_of(matrix(2, 2, {0, 2, 4}, {1, 0, 1, 0}, {2, 9, 9, 2})) == factor_end::complete);
    CHECK(end_of(matrix(2, 2, {0, 3, 5}, {0, 0, 1, 0, 1}, {4, 5, 2, 2, 9})) ==
          factor_end::complete);
    CHECK(end_of(matrix(0, 0, {0}, {}, ddla::vector<double>(0))) == factor_end::complete);
}

TEST_CASE("limits of L L^T are known before the first operation", "[factor][definite]")
{
    const auto a = ddla::generate::poisson3d(12, 12, 12);
    const auto whole = definite_factors<double>::make(a.view(), {}).about();
    const auto limited = [&](double operations, std::int64_t bytes) {
        return definite_factors<double>::make(a.view(),
                                              {.most_operations = operations, .most_bytes = bytes})
            .about();
    };
    CHECK(limited(whole.operations, whole.bytes).end == factor_end::complete);
    const auto work = limited(whole.operations - 1, whole.bytes);
    CHECK(work.end == factor_end::over_work);
    CHECK(work.operations == whole.operations);
    CHECK(work.entries == whole.entries);
    const auto memory = limited(whole.operations, whole.bytes - 1);
    CHECK(memory.end == factor_end::over_memory);
    CHECK(memory.bytes == whole.bytes);
    for (const std::int64_t bytes : {whole.bytes, whole.bytes - 1}) {
        const auto counted = definite_factors<double>::count(a.view(), {.most_bytes = bytes});
        CHECK(counted.end == limited(whole.operations, bytes).end);
        CHECK(counted.entries == whole.entries);
        CHECK(counted.operations == whole.operations);
        CHECK(counted.bytes == whole.bytes);
        CHECK(counted.done == 0);
    }
}

TEST_CASE("a watch stops L L^T", "[factor][definite]")
{
    const auto a = ddla::generate::poisson3d(20, 20, 20);
    double last = -1;
    int looks = 0;
    const auto f = definite_factors<dd>::make(a.view(), {.watch = [&](double done) {
                                                  CHECK(done >= last);
                                                  last = done;
                                                  return ++looks < 10;
                                              }});
    CHECK(looks == 10);
    CHECK(f.about().end == factor_end::stopped);
}
