// Solves with factors: bits, reference answers, ranges, several systems at once.
#include "known_ranks.hpp"
#include "reference_answers/stored.hpp"
#include "serial_solve.hpp"
#include "support/everywhere.hpp"
#include "support/reference_errors.hpp"

#include "ddla/generate.hpp"

#include <thread>

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;
using dd = ddla::dd_real;

namespace {

template <class F, class T>
void check_bits(const csr_matrix<double>& a, std::uint64_t seed)
{
    using Q = std::conditional_t<std::is_same_v<F, double>, oracle::type<T>, ::dd_real>;
    const auto f = factors<F>::make(a.view(), {});
    const auto b = test::random_vector<T>(a.rows(), seed, 40);
    ddla::vector<T> x(a.rows());
    for (const bool transposed : {false, true}) {
        if (transposed)
            f.template solve_transposed<T>(b.view(), x.view());
        else
            f.template solve<T>(b.view(), x.view());
        const std::vector<Q> truth = oracle::solve<Q>(f, b, transposed);
        int wrong = 0;
        for (index_t i = 0; i < a.rows(); ++i) {
            // Factors in double-double, vectors in double: x is rounded at the end.
            if constexpr (std::is_same_v<Q, oracle::type<T>>)
                wrong += !(oracle::to(T(x[i])) == truth[as_size(i)]);
            else
                wrong += T(x[i]) != truth[as_size(i)].x[0];
        }
        CHECK(wrong == 0);
    }
}

template <class F, class T>
void check_several(const csr_matrix<double>& a)
{
    const index_t n = a.rows(), systems = 11;
    const auto f = factors<F>::make(a.view(), {});
    const auto b = test::random_vector<T>(systems * n, 3);
    ddla::vector<T> x(systems * n), one(n);
    for (const bool transposed : {false, true}) {
        const auto solve = [&](ddla::vec<const T> from, ddla::vec<T> to) {
            if (transposed)
                f.template solve_transposed<T>(from, to);
            else
                f.template solve<T>(from, to);
        };
        solve(b.view(), x.view());
        for (index_t s = 0; s < systems; ++s) {
            solve(b.view().part(s * n, n), one.view());
            int wrong = 0;
            for (index_t i = 0; i < n; ++i) wrong += T(x[s * n + i]) != T(one[i]);
            CHECK(wrong == 0);
        }
        ddla::vector<T> in_place = b;
        solve(std::as_const(in_place).view(), in_place.view());
        CHECK(ddla::hash_of(in_place) == ddla::hash_of(x));
    }
}

/// max |e_i| over max |x_i|, in MPFR.
template <class F>
double forward_error(const csr_matrix<double>& a, const reference::answer& one)
{
    const auto f = factors<F>::make(a.view(), {});
    REQUIRE(f.about().rank == a.rows());
    ddla::vector<F> b(a.rows()), x(a.rows());
    for (index_t i = 0; i < a.rows(); ++i) b.set(i, F(one.b[as_size(i)]));
    f.template solve<F>(b.view(), x.view());
    return reference::errors_of(a, one.b, reference::solution_of(one), reference::widened(x))
        .normwise;
}

}  // namespace

TEST_CASE("solves with factors have the bits of the serial program", "[factor]")
{
    const auto grid = ddla::generate::convection_diffusion(8, 7, 6);
    const auto random = ddla::generate::random(300, 6, 0.01, 9);  // fills in: rows beyond a tile
    const csr_matrix<double> small(test::dominant_integers(3, 2, 1));
    test::everywhere([&] {
        for (const auto* a : {&grid, &random, &small}) {
            check_bits<double, double>(*a, 1);
            check_bits<double, dd>(*a, 2);
            check_bits<dd, double>(*a, 3);
            check_bits<dd, dd>(*a, 4);
        }
    });
    const auto singular = test::structurally_singular(90, 12, 3);
    check_bits<double, dd>(singular, 5);
}

TEST_CASE("several systems at once have the bits of single ones", "[factor]")
{
    const auto a = ddla::generate::random(120, 5, 0.1, 4);
    check_several<double, double>(a);
    check_several<double, dd>(a);
    check_several<dd, double>(a);
    check_several<dd, dd>(a);
}

TEST_CASE("threads can share factors", "[factor]")
{
    const auto a = ddla::generate::random(300, 5, 0.1, 4);
    const auto f = factors<dd>::make(a.view(), {}), g = factors<dd>::make(a.view(), {});
    const auto b = test::random_vector<dd>(300, 6);
    std::vector<ddla::vector<dd>> x(4, ddla::vector<dd>(300));
    std::vector<std::thread> threads;
    for (auto& mine : x)  // all of them ask for the transposes, which nobody has made
        threads.emplace_back([&] { f.solve_transposed<dd>(b.view(), mine.view()); });
    for (auto& thread : threads) thread.join();
    ddla::vector<dd> alone(300);
    g.solve_transposed<dd>(b.view(), alone.view());
    for (const auto& mine : x) CHECK(ddla::hash_of(mine) == ddla::hash_of(alone));
    CHECK(f.levels(factor_part::lower).row.size() == 300);
}

TEST_CASE("levels hold rows after all that they need", "[factor]")
{
    const auto f = factors<double>::make(ddla::generate::random(300, 5, 0.1, 4).view(), {});
    for (const factor_part p : {factor_part::lower, factor_part::upper,
                                factor_part::upper_transposed, factor_part::lower_transposed}) {
        const level_sets& sets = f.levels(p);
        const auto& rows = f.part(p).off_diagonal;
        std::vector<index_t> level(300, -1);
        REQUIRE(sets.row.size() == 300);
        for (index_t l = 0; l < sets.levels(); ++l) {
            CHECK(sets.begin[as_size(l)] < sets.begin[as_size(l + 1)]);
            for (index_t k = sets.begin[as_size(l)]; k < sets.begin[as_size(l + 1)]; ++k) {
                if (k > sets.begin[as_size(l)])
                    CHECK(sets.row[as_size(k - 1)] < sets.row[as_size(k)]);
                level[as_size(sets.row[as_size(k)])] = l;
            }
        }
        int wrong = 0;
        for (index_t i = 0; i < 300; ++i) {
            index_t before = -1;
            for (index_t k = rows.begin[as_size(i)]; k < rows.begin[as_size(i) + 1]; ++k)
                before = std::max(before, level[as_size(rows.column[as_size(k)])]);
            wrong += level[as_size(i)] != before + 1;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("factors solve systems with reference answers", "[factor]")
{
    constexpr index_t largest_n = 1100;
    int solved = 0;
    const auto check = [&](const reference::answers& stored, const csr_matrix<double>& a) {
        if (a.rows() > largest_n) return;
        for (const reference::answer& one : stored.all) {
            INFO(stored.matrix << ", b = " << one.rhs);
            // A backward error of u times a growth that stayed below 2^20 on all of these, and
            // |e| <= 2 cond(A, x) times it; the estimates are right within a factor of 10.
            const double condition = one.skeel.value * (one.skeel.exact ? 1 : 10);
            const double in_double = 0x1p-33 * std::max(1.0, condition),
                         in_dd = 0x1p-84 * std::max(1.0, condition);
            if (in_double < 1) CHECK(forward_error<double>(a, one) <= in_double);
            if (in_dd < 1) CHECK(forward_error<dd>(a, one) <= in_dd);
            solved += in_dd < 1;
        }
    };
    reference::for_each_stored(false, check);
    const int missing = reference::for_each_stored(true, check);
    CHECK(solved > 60);
    const std::string reason = reference::reason_of(missing);
    if (!reason.empty()) SKIP_CASE(reason);
}

TEST_CASE("solves keep away from overflow and underflow", "[factor]")
{
    const csr_matrix<double> a(test::dominant_integers(40, 3, 8));
    const auto b = test::random_vector<double>(40, 2);
    ddla::vector<double> x(40), y(40), c(40);
    factors<double>::make(a.view(), {}).solve<double>(b.view(), x.view());
    for (const int power : {-900, 900})
        for (const int b_power : {-40, 40}) {
            ddla::coordinates<double> far{.rows = 40, .columns = 40};
            const auto view = a.view();
            for (index_t i = 0; i < 40; ++i) {
                c[i] = std::ldexp(b[i], power + b_power);
                for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
                    far.add(i, view.column[k], std::ldexp(view.value.get(k), power));
            }
            const csr_matrix<double> scaled(far);
            factors<double>::make(scaled.view(), {}).solve<double>(c.view(), y.view());
            for (index_t i = 0; i < 40; ++i) CHECK(y[i] == std::ldexp(x[i], b_power));
        }
    ddla::vector<double> zero(40);
    factors<double>::make(a.view(), {}).solve<double>(zero.view(), y.view());
    for (index_t i = 0; i < 40; ++i) CHECK(y[i] == 0);
}

TEST_CASE("factors refuse what they cannot solve", "[factor]")
{
    const csr_matrix<double> a(test::dominant_integers(20, 3, 8));
    const auto f = factors<double>::make(a.view(), {});
    ddla::vector<double> b(21), x(20);
    CHECK_THROWS_AS(f.solve<double>(b.view(), x.view()), ddla::input_error);
    CHECK_THROWS_AS(f.right_null_vector<double>(0), ddla::input_error);
    const csr_matrix<double> wide(ddla::coordinates<double>{.rows = 2, .columns = 3});
    CHECK_THROWS_AS(factors<double>::make(wide.view(), {}), ddla::input_error);
    options o;
    o.most_operations = 1;
    const auto ended = factors<double>::make(ddla::generate::random(60, 5, 1, 2).view(), o);
    CHECK(ended.about().end == factor_end::over_work);
    CHECK(ended.about().operations > 1);
    CHECK(ended.about().entries > 0);
    ddla::vector<double> c(60), y(60);
    CHECK_THROWS_AS(ended.solve<double>(c.view(), y.view()), ddla::input_error);
    ddla::coordinates<double> bad = test::dominant_integers(20, 3, 8);
    bad.add(3, 4, INFINITY);
    CHECK(factors<double>::make(csr_matrix<double>(bad).view(), {}).about().end ==
          factor_end::not_finite);
}
