// Solves with triangles, one text for every place: against a serial program over QD's numbers.
#include "factor/serial_solve.hpp"
#include "support/operands.hpp"
#include "support/place.hpp"

#include "engine/engine.hpp"
#include "triangles/placed_triangles.hpp"

#include <numeric>
#include <set>

using ddla::column_t;
using dd = ddla::dd_real;
using ddla::index_t;
using ddla::factor::as_size;
using ddla::factor::level_sets;
using ddla::factor::triangle;
using test::place_under_test;

namespace {

/// Vectors of T, triangles of F.
template <class T, class F>
struct numbers {
    using scalar = T;
    using value = F;
    using wide = ddla::steps::wider<T, F>;
};
#define ALL_NUMBERS                                                                                \
    (numbers<double, double>), (numbers<double, dd>), (numbers<dd, double>), (numbers<dd, dd>)

/// The next row, with random numbers at these columns.
template <class F>
void add_row(triangle<F>& t, const std::set<column_t>& columns, bool unit,
             test::random_numbers& random)
{
    for (const column_t j : columns) {
        F value;
        random.make(value, 0);
        t.off_diagonal.column.push_back(j);
        t.off_diagonal.value.push_back(value * (1.0 / double(columns.size())));
    }
    t.off_diagonal.begin.push_back(t.off_diagonal.entries());
    F pivot;
    random.make(pivot, 0);
    if (!unit) t.pivot.push_back(F(1.5) + 0.25 * pivot);
}

/// Row i has length(i) entries, no more than there are rows before it, at random columns.
template <class F, class Length>
triangle<F> random_triangle(index_t n, bool lower, bool unit, std::uint64_t seed,
                            const Length& length)
{
    test::random_numbers random(seed);
    triangle<F> t;
    t.is_lower = lower;
    for (index_t i = 0; i < n; ++i) {
        const index_t before = lower ? i : n - 1 - i, count = std::min(length(i), before);
        std::set<column_t> columns;
        const column_t first = column_t(lower ? 0 : i + 1);
        for (column_t j = first; 2 * count > before && j < first + count; ++j) columns.insert(j);
        while (index_t(columns.size()) < count)
            columns.insert(first + column_t(random.below(before)));
        add_row(t, columns, unit, random);
    }
    return t;
}

std::vector<column_t> permutation(index_t n, std::uint64_t seed)
{
    test::random_numbers random(seed);
    std::vector<column_t> p(as_size(n));
    std::iota(p.begin(), p.end(), 0);
    for (index_t i = n - 1; i > 0; --i) std::swap(p[as_size(i)], p[as_size(random.below(i + 1))]);
    return p;
}

std::vector<int> exponents(index_t n, int spread, std::uint64_t seed)
{
    test::random_numbers random(seed);
    std::vector<int> e(as_size(n));
    for (int& one : e) one = int(random.below(2 * spread + 1)) - spread;
    return e;
}

/// Some triangles, with permutations, and powers of two if `spread` is not 0.
template <class F>
class chain {
public:
    chain(std::vector<triangle<F>> all, std::uint64_t seed, int spread = 0)
        : all_(std::move(all)), n_(all_.front().rows()), in_(permutation(n_, seed)),
          out_(permutation(n_, seed + 1)), is_scaled_(spread > 0),
          scale_in_(exponents(n_, spread, seed + 2)), scale_out_(exponents(n_, spread, seed + 3))
    {
        for (const auto& t : all_) levels_.push_back(levels_of(t));
    }
    index_t rows() const { return n_; }
    ddla::api::placed_triangles<F> placed(ddla::place at) const
    {
        ddla::api::triangle_chain<F> of{.links = {}, .in = in_, .out = out_};
        for (std::size_t k = 0; k < all_.size(); ++k) of.links.push_back({&all_[k], &levels_[k]});
        if (is_scaled_) {
            of.scale_in = &scale_in_;
            of.scale_out = &scale_out_;
        }
        return {of, at};
    }
    template <class Q, class T>
    std::vector<Q> serial(const ddla::vector<T>& r) const
    {
        int common = INT_MIN;
        for (index_t i = 0; is_scaled_ && i < n_; ++i) {
            int e;
            std::frexp(oracle::magnitude(oracle::to(T(r[i]))), &e);
            if (T(r[i]) != T(0)) common = std::max(common, e + scale_in_[as_size(i)]);
        }
        if (common == INT_MIN) common = 0;
        std::vector<Q> y, z(as_size(n_));
        for (const column_t i : in_) {
            const Q value(oracle::to(T(r[i])));
            y.push_back(is_scaled_ ? oracle::scaled(value, scale_in_[as_size(i)] - common) : value);
        }
        for (const auto& t : all_) oracle::solve_serially(t, y);
        for (std::size_t k = 0; k < y.size(); ++k) {
            const column_t j = out_[k];
            z[as_size(j)] =
                is_scaled_ ? oracle::scaled(y[k], scale_out_[as_size(j)] + common) : y[k];
        }
        return z;
    }

private:
    std::vector<triangle<F>> all_;
    index_t n_;
    std::vector<column_t> in_, out_;
    bool is_scaled_;
    std::vector<int> scale_in_, scale_out_;
    std::vector<level_sets> levels_;
};

template <class T, class Q>
bool is_rounded(const ddla::vector<T>& x, const std::vector<Q>& truth)
{
    if constexpr (std::is_same_v<Q, oracle::type<T>>)
        return same_bits(x, truth);
    else {
        std::vector<double> high;
        for (const Q& q : truth) high.push_back(q.x[0]);
        return same_bits(x, high);
    }
}

/// Solves with triangles at a place.
template <class T, class F>
class solver {
public:
    solver(const chain<F>& of, ddla::place at)
        : at_(at), here_(at.is_host() ? ddla::host_engine() : ddla::device_engine(at.device_index)),
          map_(std::make_shared<const ddla::api::placed_triangles<F>>(of.placed(at))),
          solver_(map_.bind(here_))
    {
    }
    ddla::vector<T> operator()(const ddla::vector<T>& r) const
    {
        const auto there = r.to(at_);
        ddla::vector<T> z(r.size(), at_);
        solver_->apply(there.view(), 1, z.view());
        here_.wait();
        return z.to(ddla::host);
    }

private:
    ddla::place at_;
    ddla::engine& here_;
    ddla::api::triangular_map<T, F> map_;
    std::unique_ptr<ddla::bound_map<T>> solver_;
};

/// Three solves, one after the other: for another r, and for the same again.
template <class N, class F = typename N::value>
void check(const chain<F>& of, int spread = 8)
{
    using T = typename N::scalar;
    using Q = oracle::type<typename N::wide>;
    const solver<T, F> solve(of, place_under_test());
    for (const std::uint64_t seed : {1, 2, 1}) {
        const auto r = test::random_vector<T>(of.rows(), seed, spread);
        CHECK(is_rounded(solve(r), of.template serial<Q>(r)));
    }
}

constexpr index_t lengths[] = {0,  1,  2,  3,  4,  5,   8,   9,   15,  16,  17,  31,
                               32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1000};
index_t some_length(index_t i)
{
    return lengths[i * 7 % index_t(std::size(lengths))];
}

}  // namespace

TEMPLATE_TEST_CASE("triangles with rows of every length have the bits of the serial program",
                   "[triangles]", ALL_NUMBERS)
{
    using F = typename TestType::value;
    for (const bool lower : {false, true})
        for (const bool unit : {false, true}) {
            INFO(lower << ", " << unit);
            check<TestType>(chain<F>({random_triangle<F>(1500, lower, unit, 3, some_length)}, 4));
        }
}

TEMPLATE_TEST_CASE("two and three triangles, permuted and scaled", "[triangles]", ALL_NUMBERS)
{
    using F = typename TestType::value;
    const auto few = [](index_t i) { return i % 5; };
    const auto lower = random_triangle<F>(700, true, true, 5, few);
    const auto upper = random_triangle<F>(700, false, false, 6, few);
    check<TestType>(chain<F>({lower, upper}, 7));
    check<TestType>(chain<F>({lower, upper}, 8, 30));
    check<TestType>(chain<F>({upper, lower}, 9, 200), 40);
    // Partly below the normal range, where QD's products have other errors.
    if constexpr (sizeof(typename TestType::wide) == sizeof(double))
        check<TestType>(chain<F>({upper, lower}, 9, 900), 40);
    check<TestType>(chain<F>({lower, upper, lower}, 10, 5));
}

TEMPLATE_TEST_CASE("a chain in which every row waits for the one before, and a diagonal",
                   "[triangles]", ALL_NUMBERS)
{
    using F = typename TestType::value;
    for (const bool lower : {false, true}) {
        triangle<F> chained;
        chained.is_lower = lower;
        const index_t n = 5000;
        for (index_t i = 0; i < n; ++i) {
            const index_t before = lower ? i - 1 : i + 1;
            if (before >= 0 && before < n) {
                chained.off_diagonal.column.push_back(column_t(before));
                chained.off_diagonal.value.push_back(F(1) / F(3));
            }
            chained.off_diagonal.begin.push_back(chained.off_diagonal.entries());
            chained.pivot.push_back(F(7) / F(double(6 + i % 3)));
        }
        check<TestType>(chain<F>({chained}, 11));
        check<TestType>(chain<F>({chained, chained}, 12, 3));
    }
    const auto none = [](index_t) { return index_t{0}; };
    for (const index_t n : {1, 31, 32, 33, 3000})
        check<TestType>(chain<F>({random_triangle<F>(n, true, false, 13, none)}, 14));
}

namespace {

/// Row i needs those of needs(i).
template <class F, class Needs>
triangle<F> triangle_of(index_t n, std::uint64_t seed, const Needs& needs)
{
    test::random_numbers random(seed);
    triangle<F> t;
    for (index_t i = 0; i < n; ++i) add_row(t, needs(i), false, random);
    return t;
}

/// Whether each span is narrow, at a device.
template <class F>
std::vector<bool> narrow_spans(const chain<F>& of)
{
    std::vector<bool> narrow;
    const auto placed = of.placed(place_under_test());
    const auto list = placed.view();
    for (index_t k = 0; k < list.spans; ++k) narrow.push_back(list.span[k].is_narrow);
    return narrow;
}

}  // namespace

TEMPLATE_TEST_CASE("spans of levels with few rows and with many", "[triangles]", ALL_NUMBERS)
{
    using F = typename TestType::value;
    // 400 rows in a chain, 8000 that need the last of them, and 400 in a chain that need all kinds.
    test::random_numbers random(31);
    const auto t = triangle_of<F>(8800, 32, [&](index_t i) {
        std::set<column_t> needs;
        if (i > 0) needs.insert(column_t(i >= 400 && i < 8400 ? 399 : i - 1));
        for (int k = 0; k < 2 && i >= 400; ++k)
            needs.insert(column_t(random.below(i < 8400 ? 400 : i)));
        return needs;
    });
    const chain<F> of({t, t}, 33, 5);
    if (!place_under_test().is_host())
        CHECK(narrow_spans(of) == std::vector<bool>{true, false, true, false, true});
    check<TestType>(of);
}

TEMPLATE_TEST_CASE("levels of sixty rows that need near and far ones", "[triangles]", ALL_NUMBERS)
{
    using F = typename TestType::value;
    constexpr index_t rows = 60, levels = 130;
    test::random_numbers random(41);
    const auto t = triangle_of<F>(rows * levels, 42, [&](index_t i) {
        const index_t level = i / rows;
        std::set<column_t> needs;
        for (const index_t most : {index_t{1}, std::min<index_t>(level, 40)})
            if (level > 0)
                needs.insert(
                    column_t((level - 1 - random.below(most)) * rows + random.below(rows)));
        return needs;
    });
    const chain<F> of({t, t}, 43);
    if (!place_under_test().is_host()) CHECK(narrow_spans(of) == std::vector<bool>{true});
    check<TestType>(of);
}

TEMPLATE_TEST_CASE("dense triangles", "[triangles]", ALL_NUMBERS)
{
    using F = typename TestType::value;
    const auto all = [](index_t) { return INT64_MAX; };
    for (const index_t n : {1, 2, 33, 300})
        check<TestType>(chain<F>({random_triangle<F>(n, true, true, 15, all),
                                  random_triangle<F>(n, false, false, 16, all)},
                                 17, 4));
}

TEMPLATE_TEST_CASE("a row of more than 256 tiles", "[triangles]", ALL_NUMBERS)
{
    using F = typename TestType::value;
    // Two groups of tiles, and three.
    for (const index_t n : {66000, 131200}) {
        const auto last = [=](index_t i) { return i == n - 1 ? n : i % 2; };
        check<TestType>(chain<F>({random_triangle<F>(n, true, false, 18, last)}, 19));
    }
}

TEMPLATE_TEST_CASE("triangles end for Inf and NaN, which go where they go on the host",
                   "[triangles]", ALL_NUMBERS)
{
    using T = typename TestType::scalar;
    using F = typename TestType::value;
    const auto few = [](index_t i) { return i % 40; };
    const chain<F> of({random_triangle<F>(900, true, true, 20, few),
                       random_triangle<F>(900, false, false, 21, few)},
                      22, 6);
    const solver<T, F> solve(of, place_under_test()), on_host(of, ddla::host);
    for (const auto kind : test::all_operands) {
        INFO(test::name_of(kind));
        const auto r = test::operands<T>(kind, of.rows(), 23);
        const auto x = solve(r);
        if (kind == test::operand::not_finite || kind == test::operand::infinite) {
            using ddla::isfinite;
            using std::isfinite;
            int finite = 0;
            for (index_t i = 0; i < x.size(); ++i) finite += isfinite(T(x[i]));
            CHECK(finite < x.size());
            CHECK(test::same_bits(x, on_host(r)));
        } else {
            using Q = oracle::type<typename TestType::wide>;
            CHECK(is_rounded(x, of.template serial<Q>(r)));
        }
    }
}
