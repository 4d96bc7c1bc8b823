// L D L^T by supernodes: bits of factors and of solves, replaced pivots.
#include "definite_systems.hpp"
#include "serial_ldlt.hpp"
#include "serial_supernodes.hpp"
#include "support/everywhere.hpp"
#include "support/shapes.hpp"
#include "symmetric_systems.hpp"

#include "engine/host_loops.hpp"
#include "factor/supernodal/symmetric.hpp"

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;
using dd = ddla::dd_real;
using test::differing;
using test::symmetric_on;
using test::widened;

namespace {

symmetric_options on_threads()
{
    // Small loops are shared, too.
    return {.run = {ddla::host_threads(), ddla::run_on_host, 1}};
}

/// S A S in the order of elimination, before any exchange.
template <class F>
oracle::dense<oracle::type<F>> factored_matrix(const csr_matrix<dd>& a,
                                               const symmetric_factors<F>& f)
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

template <class F>
oracle::serial_ldlt<oracle::type<F>> serial(const csr_matrix<dd>& a, const symmetric_factors<F>& f)
{
    const auto matrix = factored_matrix(a, f);
    return oracle::factorise_symmetric(f.parts(), matrix, test::rule_for(matrix));
}

struct found_pivots {
    int exchanged = 0, replaced = 0, pairs = 0;
};

template <class F>
found_pivots check_bits(const csr_matrix<dd>& a)
{
    const auto f = symmetric_factors<F>::make(a.view(), on_threads());
    REQUIRE(f.about().end == factor_end::complete);
    const auto truth = serial(a, f);
    CHECK(f.places() == truth.place);
    CHECK(f.about().replaced == truth.replaced);
    CHECK(f.about().pairs == truth.pairs);
    int differ = 0, exchanged = 0;
    for (index_t i = 0; i < a.rows(); ++i) {
        const std::size_t k = as_size(i);
        differ += !(oracle::to(f.pivots().diagonal.get(i)) == truth.diagonal[k]);
        differ += !(oracle::to(f.pivots().beside.get(i)) == truth.beside[k]);
        for (index_t j = 0; j < i; ++j)
            differ += !(oracle::to(f.entry(i, j)) == truth.l[k][as_size(j)]);
        exchanged += truth.place[k] != static_cast<int>(i);
    }
    CHECK(differ == 0);
    return {exchanged, truth.replaced, truth.pairs};
}

template <class W, class Q>
std::vector<oracle::type<W>> widened_list(const std::vector<Q>& list)
{
    return {list.begin(), list.end()};
}

template <class W, class F>
void check_solves(const csr_matrix<dd>& a)
{
    const auto f = symmetric_factors<F>::make(a.view(), on_threads());
    const auto truth = serial(a, f);
    const auto l = widened<W>(truth.l);
    const auto diagonal = widened_list<W>(truth.diagonal), beside = widened_list<W>(truth.beside);
    std::vector<int> number(truth.place.size());
    for (std::size_t k = 0; k < number.size(); ++k) number[std::size_t(truth.place[k])] = int(k);
    ddla::vector<W> b(a.rows()), x(a.rows());
    for (index_t i = 0; i < a.rows(); ++i) b.set(i, W(1) / W(1.0 + static_cast<double>(i % 8) / 8));
    f.template solve<W>(std::as_const(b).view(), x.view());
    CHECK(differing(
              f.row_of(), f.row_of(), f.exponent(), f.exponent(),
              [&](auto& y) {
                  oracle::solve_forwards(l, y);
                  oracle::divide_by_pivots(diagonal, beside, y);
                  oracle::solve_backwards(f.parts(), l, number, y);
              },
              b, x) == 0);
}

/// A full matrix of more than one panel, in which a row of the first is another one in its columns,
/// so that a pivot is missing there.  A itself is not singular.
csr_matrix<dd> with_dependent_rows(index_t n, std::uint64_t seed)
{
    const auto a = symmetric_on(ddla::test::complete(n), seed);
    const auto f = symmetric_factors<double>::make(a.view(), {.pair = false});
    const auto& order = f.parts().order;
    const std::vector<ddla::column_t> of_panel(order.begin(), order.begin() + f.parts().first[1]);
    auto rows = test::rows_of(a);
    const auto from = as_size(of_panel[1]), to = as_size(of_panel[3]);
    for (const auto j : of_panel) rows[to][as_size(j)] = rows[from][as_size(j)];
    for (const auto j : of_panel) rows[as_size(j)][to] = rows[as_size(j)][from];
    return test::matrix_in(rows);
}

}  // namespace

TEST_CASE("L D L^T has the bits of the serial program", "[factor][ldlt]")
{
    const auto graphs = test::graphs_of_all_shapes();
    test::everywhere([&] {
        std::uint64_t seed = 0;
        for (const auto& e : graphs) {
            INFO(e.rows.size() << " columns");
            const auto a = symmetric_on(e, ++seed);
            const auto in_double = check_bits<double>(a), in_dd = check_bits<dd>(a);
            if (e.rows.size() < 100) continue;
            for (const found_pivots& found : {in_double, in_dd}) {
                CHECK(found.exchanged > 0);
                CHECK(found.pairs > 0);
            }
        }
    });
}

TEST_CASE("pivots of L D L^T that are too small are replaced, as the serial program does",
          "[factor][ldlt]")
{
    int replaced = 0;
    for (std::uint64_t seed = 3; seed < 6; ++seed) {
        const auto a = with_dependent_rows(143, seed);
        test::everywhere([&] {
            const auto f = symmetric_factors<double>::make(a.view(), {.pair = false});
            const auto truth = serial(a, f);
            CHECK(f.about().replaced == truth.replaced);
            CHECK(f.places() == truth.place);
            CHECK(std::isinf(f.backward_error_bound()) == (truth.replaced > 0));
            replaced += truth.replaced;
        });
    }
    CHECK(replaced > 0);
}

TEST_CASE("pairs of a matching stay in one panel", "[factor][ldlt]")
{
    // Only pairs (k, k + 75) have a large entry, in a matrix that is full and has no diagonal.
    constexpr std::size_t n = 150;
    std::vector<std::vector<double>> rows(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (i != j)
                rows[i][j] = (i + 75) % n == j ? 1.0 : 0x1p-20 * static_cast<double>(1 + i * j % 7);
    const auto a = test::matrix_of(rows);
    const auto f = symmetric_factors<double>::make(a.view(), {});
    REQUIRE(f.about().end == factor_end::complete);
    CHECK(f.parts().size() > 1);
    CHECK(f.about().pairs == 75);
    CHECK(f.about().replaced == 0);
    CHECK(f.about().largest_multiplier < 2);
    CHECK(f.about().signs.positive == 75);
}

TEST_CASE("solves by L D L^T have the bits of the serial program", "[factor][ldlt]")
{
    const auto graphs = test::graphs_of_all_shapes();
    test::everywhere([&] {
        std::uint64_t seed = 100;
        for (const auto& e : graphs) {
            INFO(e.rows.size() << " columns");
            const auto a = symmetric_on(e, ++seed);
            check_solves<double, double>(a);
            check_solves<dd, double>(a);
            check_solves<dd, dd>(a);
        }
    });
}

TEST_CASE("several systems by L D L^T have the bits of single solves", "[factor][ldlt]")
{
    const auto a = symmetric_on(ddla::test::grid(9, 8, 1), 77);
    const index_t n = a.rows();
    const auto check = [&](auto factor_number, auto vector_number) {
        using F = decltype(factor_number);
        using T = decltype(vector_number);
        const auto f = symmetric_factors<F>::make(a.view(), on_threads());
        for (const index_t systems : {2, 5}) {
            ddla::vector<T> b(systems * n), x(systems * n), one(n), alone(n);
            for (index_t i = 0; i < b.size(); ++i) b.set(i, T(1) / T(static_cast<double>(i + 1)));
            f.template solve<T>(std::as_const(b).view(), x.view());
            for (index_t s = 0; s < systems; ++s) {
                for (index_t i = 0; i < n; ++i) one.set(i, b[s * n + i]);
                f.template solve<T>(std::as_const(one).view(), alone.view());
                int wrong = 0;
                for (index_t i = 0; i < n; ++i) wrong += !(x[s * n + i] == alone[i]);
                CHECK(wrong == 0);
            }
        }
    };
    test::everywhere([&] {
        check(double(), double());
        check(double(), dd());
        check(dd(), dd());
    });
}

TEST_CASE("large L D L^T has the same bits for all threads and instruction sets", "[factor][ldlt]")
{
    const auto a = symmetric_on(ddla::test::grid(12, 13, 14), 41);
    const index_t n = a.rows();
    const auto solutions = [&](auto number) {
        using F = decltype(number);
        const auto f = symmetric_factors<F>::make(a.view(), on_threads());
        int exchanged = 0;
        for (index_t k = 0; k < n; ++k) exchanged += f.places()[as_size(k)] != k;
        CHECK(exchanged > 10);
        ddla::vector<F> b(5 * n), x(5 * n);
        for (index_t i = 0; i < b.size(); ++i) b.set(i, F(1.0 + static_cast<double>(i % 11)));
        f.template solve<F>(std::as_const(b).view(), x.view());
        std::vector<F> all;
        for (index_t i = 0; i < x.size(); ++i) all.push_back(x[i]);
        return test::hash_of(all);
    };
    // Golden: change them for a reason that CHANGELOG.md names.
    test::everywhere([&] {
        CHECK(solutions(double()) == 0xfc84dd632fbeb259u);
        CHECK(solutions(dd()) == 0x254f5aa206232453u);
    });
}
