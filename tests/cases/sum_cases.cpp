// Sums and products against exact answers, one text for every place: the error is within the bound
// of docs/arithmetic.md ("Bounds of sums"), whatever the condition number, length and range.
#include "support/ill_conditioned.hpp"
#include "support/place.hpp"
#include "support/same_bits.hpp"
#include "support/sum_operands.hpp"

using dd = ddla::dd_real;
using ddla::index_t;
using test::bounded;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::exact_number;
using test::given;
using test::place_under_test;

namespace {

/// Every short length, and those around powers of two and multiples of a tile.
std::vector<index_t> lengths()
{
    std::vector<index_t> all(18);
    std::iota(all.begin(), all.end(), index_t(0));
    for (const index_t n : {32, 64, 128, 256, 512, 768, 1024, 2048, 2304, 4096, 65536})
        for (const index_t m : {n - 1, n, n + 1}) all.push_back(m);
    all.insert(all.end(), {65536 + 256, 100003});
    return all;
}

/// For long sums fewer, for the sake of time.
std::vector<double> conditions(index_t n)
{
    if (n > 10000) return {2, 1e16, 1e32, 1e60};
    return {2, 1e8, 1e16, 1e24, 1e32, 1e45, 1e60};
}

/// How many products of one length and condition number: short ones come closest to the bounds.
int repetitions(index_t n)
{
    return n < 18 ? 20 : 1;
}

/// Keeps how much of the bounds is used: bounds far above all errors would prove little.
class largest_part_of_bound {
public:
    template <class T>
    void add(const T& computed, const bounded& expected)
    {
        most_ = std::fmax(most_, test::used_of_bound(computed, expected));
    }
    double value() const { return most_; }

private:
    double most_ = 0;
};

/// How much of the bounds is used at least; of double-double, errors near the bound are rare.
template <class T>
constexpr double expected_part(double of_double, double of_dd)
{
    return std::is_same_v<T, double> ? of_double : of_dd;
}

template <class T>
void check(const T& computed, const bounded& expected, largest_part_of_bound& part)
{
    part.add(computed, expected);
    INFO("error / bound = " << test::used_of_bound(computed, expected));
    CHECK(test::within(computed, expected));
}

template <class T>
void check_all(const ddla::vector<T>& there, const std::vector<bounded>& expected,
               largest_part_of_bound& part)
{
    const auto computed = there.to(ddla::host);
    REQUIRE(computed.size() == static_cast<index_t>(expected.size()));
    for (index_t i = 0; i < computed.size(); ++i) {
        INFO("element " << i);
        check(T(computed[i]), expected[std::size_t(i)], part);
    }
}

template <class T>
void check_dot(const test::dot_product<T, T>& p, largest_part_of_bound& part)
{
    const auto expected = test::bounded_dot<T, T>(p.size(), p.value, p.magnitudes);
    const auto x = test::vector_of(p.x).to(place_under_test());
    const auto y = test::vector_of(p.y).to(place_under_test());
    test::under_few_cuts([&] { check(ddla::dot(x, y), expected, part); });
}

/// Rows that share no column, each a dot product with its part of x.
template <class T, class V>
struct rows_of_dot_products {
    std::vector<test::dot_product<V, T>> rows;
    ddla::csr_matrix<V> a;
    ddla::vector<T> x;
};

template <class T, class V>
rows_of_dot_products<T, V> system_of(std::vector<test::dot_product<V, T>> rows)
{
    std::vector<index_t> begin{0};
    std::vector<V> value;
    std::vector<T> x;
    for (const auto& p : rows) {
        value.insert(value.end(), p.x.begin(), p.x.end());
        x.insert(x.end(), p.y.begin(), p.y.end());
        begin.push_back(static_cast<index_t>(x.size()));
    }
    std::vector<ddla::column_t> column(x.size());
    std::iota(column.begin(), column.end(), ddla::column_t(0));
    const auto n = static_cast<index_t>(rows.size());
    const auto columns = static_cast<index_t>(x.size());
    return {
        std::move(rows), {n, columns, begin, column, test::vector_of(value)}, test::vector_of(x)};
}

template <class T, class V>
rows_of_dot_products<T, V> ill_conditioned_rows()
{
    std::vector<test::dot_product<V, T>> rows;
    std::uint64_t seed = 100;
    for (const index_t n : lengths())
        for (const double c : conditions(n))
            for (int k = 0; k < repetitions(n); ++k)
                rows.push_back(test::dot_product_of<V, T>(n, c, ++seed));
    return system_of<T, V>(std::move(rows));
}

/// y of every row: what is left of A x after rounding it, so that b - A x cancels, and any number.
template <class T, class V>
ddla::vector<T> right_hand_side(const rows_of_dot_products<T, V>& s)
{
    auto b = test::random_vector<T>(s.a.rows(), 7);
    for (std::size_t i = 0; i < s.rows.size(); ++i)
        if (i % 2 == 0) b.set(index_t(i), test::close_to<T>(s.rows[i].value));
    return b;
}

template <class T, class V, class Then>
std::vector<bounded> of_each_row(const rows_of_dot_products<T, V>& s, const Then& then)
{
    std::vector<bounded> all;
    for (std::size_t i = 0; i < s.rows.size(); ++i) {
        const auto& p = s.rows[i];
        all.push_back(then(index_t(i), test::bounded_dot<T, V>(p.size(), p.value, p.magnitudes)));
    }
    return all;
}

/// A x, alpha A x + beta y and y - A x.
template <class T, class V>
double check_products(const rows_of_dot_products<T, V>& s)
{
    const auto y = right_hand_side(s), scalars = test::random_vector<T>(2, 8);
    const T alpha = scalars[0], beta = scalars[1];
    const auto plain = of_each_row(s, [](index_t, const bounded& ax) { return ax; });
    const auto full = of_each_row(s, [&](index_t i, const bounded& ax) {
        return test::added<T>(test::multiplied<T>(alpha, ax),
                              test::multiplied<T>(beta, given(T(y[i]))));
    });
    const auto residual = of_each_row(
        s, [&](index_t i, const bounded& ax) { return test::subtracted<T>(given(T(y[i])), ax); });
    const auto a = s.a.to(place_under_test());
    const auto x = s.x.to(place_under_test()), y_there = y.to(place_under_test());
    largest_part_of_bound part;
    test::under_few_cuts([&] {
        auto z = y_there;
        ddla::spmv(T(1), a, x, T(0), z);
        check_all(z, plain, part);
        z = y_there;
        ddla::spmv(alpha, a, x, beta, z);
        check_all(z, full, part);
        ddla::residual(a, x, y_there, z);
        check_all(z, residual, part);
    });
    return part.value();
}

template <class T>
void check_norms(const ddla::vector<T>& x_here, largest_part_of_bound& part)
{
    const auto expected = test::exact_norms_of(x_here);
    const auto x = x_here.to(place_under_test());
    test::under_few_cuts([&] {
        check(ddla::asum(x), expected.asum, part);
        const T norm = ddla::nrm2(x);
        INFO("nrm2 = " << double(norm));
        CHECK(test::norm_within(norm, x.size(), expected.squares));
    });
}

template <class T>
void check_axpy(int of_a, int of_x, int of_y, largest_part_of_bound& part)
{
    INFO("a < 2^" << of_a << ", x < 2^" << of_x << ", y < 2^" << of_y);
    const auto all = test::axpy_operands_of<T>(of_a, of_x, of_y, 300);
    const auto x = all.x.to(place_under_test()), y = all.y.to(place_under_test());
    test::under_few_cuts([&] {
        auto z = y;
        ddla::axpy(all.a, x, z);
        check_all(z, all.expected, part);
    });
}

}  // namespace

TEMPLATE_TEST_CASE("dot products of any condition number are within their bounds",
                   "[sums][repeats]", double, dd)
{
    using T = TestType;
    largest_part_of_bound part;
    std::uint64_t seed = 0;
    for (const index_t n : lengths())
        for (const double c : conditions(n)) {
            INFO("n = " << n << ", condition number " << c);
            check_dot(test::dot_product_of<T, T>(n, c, ++seed), part);
        }
    // Of one product: a dd * dd with an error close to its bound (tests/arithmetic).
    if constexpr (std::is_same_v<T, dd>)
        check_dot(test::with_exact_sums<T, T>({{0x1.007dc00002e62p+0, 0x1.ff3c4a6084f7ap-54}},
                                              {{0x1.0140bd527ac45p+0, 0x1.ffa3c99e73bf8p-54}}),
                  part);
    CHECK(part.value() > 0.8);
}

TEMPLATE_TEST_CASE("products and residuals of any condition number are within their bounds",
                   "[sums][repeats]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    CHECK(check_products(ill_conditioned_rows<T, V>()) > expected_part<T>(0.8, 0.25));
}

TEMPLATE_TEST_CASE("dot products that underflow are within their bounds", "[sums]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    std::vector<test::dot_product<V, T>> rows;
    std::uint64_t seed = 0;
    // The products are about 2^(e + f).
    for (const int e : {-1060, -1000, -540, -300, 0})
        for (const int f : {-1060, -540, -430, -100, 20})
            for (const index_t n : {1, 2, 7, 40, 256, 300, 2500}) {
                const auto p = test::dot_product_of<V, T>(n, 1e4, ++seed);
                const auto x = test::scaled(test::vector_of(p.x), e);
                const auto y = test::scaled(test::vector_of(p.y), f);
                rows.push_back(test::with_exact_sums(std::vector<V>(x.begin(), x.end()),
                                                     std::vector<T>(y.begin(), y.end())));
            }
    const auto s = system_of<T, V>(std::move(rows));
    CHECK(check_products(s) > expected_part<T>(0.8, 0.25));
}

TEMPLATE_TEST_CASE("asum and nrm2 are within their bounds over the whole range", "[sums]", double,
                   dd)
{
    largest_part_of_bound part;
    for (const index_t n :
         {index_t(0), index_t(1), index_t(2), index_t(3), index_t(7), index_t(255), index_t(256),
          index_t(257), index_t(3000), test::three_levels})
        for (const int e : test::exponents_of_sums(n)) {
            INFO("n = " << n << ", below 2^" << e);
            check_norms(test::scaled(test::random_vector<TestType>(n, 21, 0), e), part);
            // Not so large numbers of every size beside them: what underflows in squares.
            if (e > 900) continue;
            check_norms(test::scaled(test::random_vector<TestType>(n, 22, 60), e), part);
        }
    // Magnitudes from the smallest to near the largest in one vector.
    for (const index_t n : {index_t(100), test::three_levels})
        check_norms(test::random_vector<TestType>(n, 23, 1000), part);
    CHECK(part.value() > expected_part<TestType>(0.4, 0.05));
}

TEMPLATE_TEST_CASE("nrm2 of numbers whose norm is near overflow", "[sums]", double, dd)
{
    for (const index_t n : {index_t(1), index_t(2), index_t(3), index_t(300), test::three_levels}) {
        const int top = test::exponent_of_large_norm(n);
        const auto x_here = test::scaled(test::random_vector<TestType>(n, 24, 0), top);
        const auto expected = test::exact_norms_of(x_here);
        const auto x = x_here.to(place_under_test());
        test::under_few_cuts([&] {
            INFO("n = " << n);
            CHECK(test::norm_within(ddla::nrm2(x), n, expected.squares));
        });
    }
}

TEMPLATE_TEST_CASE("axpy is within its bound over the whole range", "[sums][repeats]", double, dd)
{
    largest_part_of_bound part;
    test::for_exponents_of_axpy(
        [&](int of_a, int of_x, int of_y) { check_axpy<TestType>(of_a, of_x, of_y, part); });
    CHECK(part.value() > expected_part<TestType>(0.8, 0.4));
}

TEMPLATE_TEST_CASE("one addition is within its own bound where high words cancel", "[sums]", double,
                   dd)
{
    using T = TestType;
    const index_t n = 300;
    const auto x_here = test::random_vector<T>(n, 41);
    auto y_here = test::random_vector<T>(n, 42);
    for (index_t i = 0; i < n; ++i) {
        const T x = x_here[i], y = y_here[i];
        // -x with another low word: what is left are the low words and the error of their sum.
        if constexpr (std::is_same_v<T, dd>)
            y_here.set(i, {-x.hi, x.lo * std::fabs(y.hi / std::ldexp(1.0, std::ilogb(y.hi) + 1))});
    }
    const auto x = x_here.to(place_under_test()), y = y_here.to(place_under_test());
    std::vector<bounded> expected;
    for (index_t i = 0; i < n; ++i)
        expected.push_back(test::added<T>(given(T(x_here[i])), given(T(y_here[i]))));
    largest_part_of_bound part;
    test::under_few_cuts([&] {
        auto z = y;
        ddla::axpy(T(1), x, z);  // the product is exact
        check_all(z, expected, part);
    });
}
