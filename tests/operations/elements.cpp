// Elements of vectors: writing through x[i], reading, iterators and ranges.
#include "catch.hpp"
#include "support/random.hpp"
#include "support/same_bits.hpp"

#include "ddla/blas.hpp"
#include "ddla/format.hpp"
#include "ddla/generate.hpp"
#include "ddla/linalg.hpp"
#include "ddla/vector.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <sstream>
#include <vector>

using dd = ddla::dd_real;
using ddla::index_t;
using test::same_bits;

namespace {

template <class X, class Y>
concept can_be_assigned = requires(X&& x, Y y)
{
    std::forward<X>(x) = y;
};
template <class X>
concept can_be_written = requires(X& x)
{
    x[0] = 1.0;
};
template <class X>
concept can_be_added_to = requires(X&& x)
{
    std::forward<X>(x) += 1.0;
};

template <class T>
using subscript = decltype(std::declval<ddla::vector<T>&>()[0]);
template <class T>
using named = std::remove_reference_t<subscript<T>>&;  // what `auto y = x[0]` makes of it

const dd third = dd(1) / 3;

/// Numbers whose high words alone do not order them.
ddla::vector<dd> close_numbers(index_t n)
{
    ddla::vector<dd> x(n);
    for (index_t i = 0; i < n; ++i) x[i] = dd(double(i % 5), double(i * 37 % 101) * 0x1p-70);
    return x;
}

}  // namespace

TEMPLATE_TEST_CASE("x[i] writes into the vector", "[elements]", double, dd)
{
    const TestType third(TestType(1) / 3);
    ddla::vector<TestType> x(10);
    x[7] = 3.0;
    CHECK(x[7] == TestType(3));
    x[7] = 4;
    CHECK(x[7] == TestType(4));
    x[7] = third;
    CHECK(same_bits(TestType(x[7]), third));
    x[7] += third;
    CHECK(same_bits(TestType(x[7]), TestType(third + third)));
    x[7] -= 2;
    CHECK(same_bits(TestType(x[7]), TestType(third + third - 2)));
    x[7] *= third;
    CHECK(same_bits(TestType(x[7]), TestType((third + third - 2) * third)));
    x[7] /= third + 1;
    CHECK(same_bits(TestType(x[7]), TestType((third + third - 2) * third / (third + 1))));
    x[8] = x[7];
    CHECK(same_bits(TestType(x[8]), TestType(x[7])));
    x[8] += x[8];
    CHECK(same_bits(TestType(x[8]), TestType(x[7] + x[7])));
    x[1] = x[2] = third;
    CHECK(same_bits(TestType(x[1]), third));
    CHECK(same_bits(TestType(x[2]), third));
    for (const index_t untouched : {0, 3, 4, 5, 6, 9}) CHECK(x[untouched] == TestType(0));
}

TEST_CASE("a number that was read stays what it is", "[elements]")
{
    ddla::vector<dd> x(3, third);
    auto y = x[1];
    x[1] = 5.0;
    CHECK(y == third);
    CHECK(same_bits(dd(y), third));
    CHECK(y.hi == third.hi);
    CHECK(y.lo == third.lo);
    auto longer = [] { return ddla::vector<dd>(3, third)[1]; }();
    STATIC_REQUIRE(std::is_same_v<decltype(longer), dd>);
    CHECK(same_bits(longer, third));
    auto kept = [] {
        ddla::vector<dd> gone(3, third);
        return gone[1];
    }();
    CHECK(same_bits(dd(kept), third));

    // It is no way into the vector: not by accident.
    STATIC_REQUIRE(can_be_assigned<subscript<dd>, double>);
    STATIC_REQUIRE_FALSE(can_be_assigned<named<dd>, double>);
    STATIC_REQUIRE_FALSE(can_be_assigned<named<dd>, subscript<dd>>);
    STATIC_REQUIRE_FALSE(can_be_added_to<named<dd>>);
    STATIC_REQUIRE(can_be_assigned<decltype((y.hi)), double> == false);
}

TEMPLATE_TEST_CASE("elements of a vector that is only read", "[elements]", double, dd)
{
    STATIC_REQUIRE(can_be_written<ddla::vector<TestType>>);
    STATIC_REQUIRE_FALSE(can_be_written<const ddla::vector<TestType>>);
    using read_only = const ddla::vector<TestType>&;
    STATIC_REQUIRE_FALSE(can_be_assigned<decltype(std::declval<read_only>()[0]), TestType>);
    STATIC_REQUIRE_FALSE(can_be_assigned<decltype(*std::declval<read_only>().begin()), TestType>);
    const ddla::vector<TestType> x{1.0, 2.0, 3.0};
    CHECK(x[1] == 2.0);
    TestType sum(0);
    for (const auto& e : x) sum += e;
    CHECK(sum == 6.0);
}

TEST_CASE("what x[i] is used for", "[elements]")
{
    ddla::vector<dd> x{third, 2.0, -3.0};
    CHECK(x[0] + x[1] == third + 2.0);
    CHECK(x[0] - 1 == third - 1);
    CHECK(2.0 * x[0] == third * 2.0);
    CHECK(x[1] / x[0] == dd(2.0) / third);
    CHECK(-x[1] == -2.0);
    CHECK(x[2] < x[0]);
    CHECK(x[1] > 1);
    CHECK(x[1] != x[0]);
    CHECK((x[0] <=> x[1]) == std::partial_ordering::less);
    CHECK(sqrt(x[1]) == sqrt(dd(2.0)));
    CHECK(abs(x[2]) == 3.0);
    CHECK(double(x[1]) == 2.0);
    CHECK(int(x[2]) == -3);
    CHECK(bool(x[1]));
    CHECK(ddla::to_string(x[1]) == "2");
    CHECK(x[0].hi == third.hi);
    CHECK(x[0].lo == third.lo);
    std::ostringstream out;
    out << x[1] << ' ' << *x.begin();
    CHECK(out.str() == "2 0.333333");
#if defined(__cpp_lib_format)
    CHECK(std::format("{} {}", x[1], *(x.begin() + 2)) == "2 -3");
#endif
}

TEMPLATE_TEST_CASE("a vector is a range", "[elements]", double, dd)
{
    using vector = ddla::vector<TestType>;
    STATIC_REQUIRE(std::ranges::random_access_range<vector>);
    STATIC_REQUIRE(std::ranges::random_access_range<const vector>);
    STATIC_REQUIRE(std::ranges::sized_range<vector>);
    STATIC_REQUIRE(std::ranges::common_range<vector>);
    STATIC_REQUIRE(std::sortable<typename vector::iterator>);
    STATIC_REQUIRE(std::indirectly_writable<typename vector::iterator, double>);
    STATIC_REQUIRE(std::convertible_to<typename vector::iterator, typename vector::const_iterator>);
    STATIC_REQUIRE_FALSE(
        std::convertible_to<typename vector::const_iterator, typename vector::iterator>);
    STATIC_REQUIRE(std::is_same_v<std::ranges::range_value_t<vector>, TestType>);

    vector x(5);
    for (auto&& e : x) e = 1.0;
    TestType next(0);
    for (auto e : std::as_const(x)) next += e;
    CHECK(next == 5.0);
    for (index_t i = 0; i < 5; ++i) x[i] = double(i + 1);
    CHECK(std::accumulate(x.begin(), x.end(), TestType(0)) == 15.0);
    for (auto&& e : x) e *= e;
    CHECK(x[4] == 25.0);
    std::ranges::fill(x, TestType(7));
    CHECK(std::ranges::count(x, TestType(7)) == 5);
    CHECK(vector().begin() == vector().end());

    const std::vector<TestType> from{3.0, 1.0, 2.0};
    std::copy(from.begin(), from.end(), x.begin() + 1);
    std::vector<TestType> to(5);
    std::ranges::copy(std::as_const(x), to.begin());
    CHECK(to == std::vector<TestType>{7.0, 3.0, 1.0, 2.0, 7.0});
    std::ranges::transform(x, x.begin(), [](const TestType& e) { return e + 1; });
    std::ranges::reverse(x);
    std::ranges::copy(x, to.begin());
    CHECK(to == std::vector<TestType>{8.0, 3.0, 2.0, 4.0, 8.0});
    CHECK(std::ranges::count_if(x, [](const TestType& e) { return e > 3.0; }) == 3);
}

TEST_CASE("iterators go anywhere", "[elements]")
{
    auto x = close_numbers(9);
    auto it = x.begin();
    const ddla::vector<dd>::const_iterator reader = it;
    CHECK(reader == std::as_const(x).begin());
    it += 4;
    CHECK(it - x.begin() == 4);
    CHECK_FALSE(it == x.begin());
    CHECK_FALSE(x.begin() == it);
    CHECK(*it == x[4]);
    CHECK(it[-2] == x[2]);
    CHECK(*it++ == x[4]);
    CHECK(*it-- == x[5]);
    CHECK(*--it == x[3]);
    CHECK(*++it == x[4]);
    CHECK(*(2 + it) == x[6]);
    CHECK(*(it - 1) == x[3]);
    CHECK(it < x.end());
    *it = *(it + 1);
    CHECK(x[4] == x[5]);
    auto e = *it;
    e = 9.0;  // as a reference would
    CHECK(x[4] == 9.0);
    const dd first = x[0], last = x[8];
    std::ranges::iter_swap(x.begin(), x.end() - 1);
    CHECK(same_bits(dd(x[0]), last));
    std::iter_swap(x.begin(), x.end() - 1);
    CHECK(same_bits(dd(x[0]), first));
}

TEST_CASE("elements can be sorted", "[elements]")
{
    for (const index_t n : {0, 1, 2, 3, 15, 16, 17, 100, 1000}) {
        const auto x = close_numbers(n);
        std::vector<dd> expected(x.begin(), x.end());
        std::sort(expected.begin(), expected.end());
        const auto check = [&](const char* what, const auto& sort) {
            INFO(what << " of " << n);
            auto y = x;
            sort(y);
            CHECK(std::equal(y.begin(), y.end(), expected.begin(), expected.end(),
                             [](dd a, dd b) { return same_bits(a, b); }));
        };
        check("std::sort", [](auto& y) { std::sort(y.begin(), y.end()); });
        check("std::stable_sort", [](auto& y) { std::stable_sort(y.begin(), y.end()); });
        check("std::ranges::sort", [](auto& y) { std::ranges::sort(y); });
        check("std::ranges::stable_sort", [](auto& y) { std::ranges::stable_sort(y); });
        check("heap", [](auto& y) {
            std::make_heap(y.begin(), y.end());
            std::sort_heap(y.begin(), y.end());
        });
    }
}

TEMPLATE_TEST_CASE("scalars convert to the numbers of the vectors", "[operations]", double, dd)
{
    ddla::vector<TestType> x{1.0, 2.0}, y{3.0, 4.0};
    ddla::axpy(2, x, y);
    CHECK(same_bits(y, ddla::vector<TestType>{5.0, 8.0}));
    ddla::xpay(x, x[1], y);
    CHECK(same_bits(y, ddla::vector<TestType>{11.0, 18.0}));
    ddla::axpyz(0.5, x, y, x);
    CHECK(same_bits(x, ddla::vector<TestType>{11.5, 19.0}));
    ddla::scal(x[0], y);
    CHECK(same_bits(y, ddla::vector<TestType>{126.5, 207.0}));
}

TEMPLATE_TEST_CASE("vectors are made of ranges and of words", "[vector]", double, dd)
{
    using T = TestType;
    const std::vector<double> numbers = {1.5, -2.0, 0.0, 7.0};
    const ddla::vector<T> expected = {T(1.5), T(-2.0), T(0.0), T(7.0)};

    CHECK(same_bits(ddla::vector<T>(numbers), expected));
    CHECK(same_bits(ddla::vector<T>(std::span<const double>(numbers)), expected));
    // Sizes unknown; and a range that can be read only once.
    CHECK(same_bits(ddla::vector<T>(numbers | std::views::filter([](double x) { return x != 0; })),
                    ddla::vector<T>{T(1.5), T(-2.0), T(7.0)}));
    std::istringstream text("1.5 -2 0 7");
    CHECK(same_bits(ddla::vector<T>(std::ranges::istream_view<double>(text)), expected));
    CHECK(ddla::vector<T>(std::views::empty<double>).size() == 0);
    // Of numbers in T itself, and through the elements of another vector.
    const ddla::vector<T> again(expected | std::views::reverse);
    CHECK(same_bits(ddla::vector<T>(again | std::views::reverse), expected));
    // A copy of a vector is a copy, wherever it is.
    ddla::vector<T> copied(expected);
    CHECK(same_bits(copied, expected));
}

TEST_CASE("words of the caller become a vector, or a view", "[vector]")
{
    std::vector<double> high = {1.0, 2.0, 3.0}, low = {0x1p-60, 0.0, -0x1p-70};
    const ddla::vector<dd> x = ddla::vector<dd>::from_words(high, low);
    REQUIRE(x.size() == 3);
    CHECK(x[2] == dd(3.0, -0x1p-70));
    CHECK(same_bits(ddla::vector<double>::from_words(high), ddla::vector<double>(high)));
    CHECK_THROWS_AS(ddla::vector<dd>::from_words(high, std::vector<double>(2)), ddla::input_error);

    const ddla::vec<dd> view(high, low);
    view.set(1, dd(5.0, 0x1p-55));
    CHECK((high[1] == 5.0 && low[1] == 0x1p-55));
    const std::span<const double> only_read(low);
    CHECK(ddla::vec<const double>(only_read).get(0) == 0x1p-60);
}

TEMPLATE_TEST_CASE("the standard's names are those of blas.hpp", "[vector]", double, dd)
{
    using T = TestType;
    namespace la = ddla::linalg;
    const ddla::csr_matrix<double> a = ddla::generate::poisson2d(7, 5);
    const auto x = test::random_vector<T>(a.rows(), 1), y = test::random_vector<T>(a.rows(), 2);
    ddla::vector<T> z(a.rows()), expected(a.rows());

    CHECK(same_bits(la::dot(x, y), ddla::dot(x, y)));
    CHECK(same_bits(la::dot(x, y, T(3)), T(3) + ddla::dot(x, y)));
    CHECK(same_bits(la::vector_two_norm(x), ddla::nrm2(x)));
    CHECK(same_bits(la::vector_abs_sum(x), ddla::asum(x)));

    la::matrix_vector_product(a, x, z);
    ddla::spmv(1.0, a, x, 0.0, expected);
    CHECK(same_bits(z, expected));
    la::matrix_vector_product(a, x, y, z);
    expected = y;
    ddla::spmv(1.0, a, x, 1.0, expected);
    CHECK(same_bits(z, expected));
    z = y;
    la::matrix_vector_product(a, x, z, z);
    CHECK(same_bits(z, expected));
    // What does not fit changes nothing.
    ddla::vector<T> same = x;
    CHECK_THROWS_AS(la::matrix_vector_product(a, same, y, same), ddla::input_error);
    CHECK(same_bits(same, x));
    CHECK_THROWS_AS(la::matrix_vector_product(a, ddla::vector<T>(a.rows() + 1), y, z),
                    ddla::input_error);
    CHECK_THROWS_AS(la::matrix_vector_product(a, x, ddla::vector<T>(a.rows() + 1), z),
                    ddla::input_error);
    CHECK(same_bits(z, expected));

    la::add(x, y, z);
    ddla::axpyz(1.0, x, y, expected);
    CHECK(same_bits(z, expected));
    la::scale(T(3), z);
    ddla::scal(3.0, expected);
    CHECK(same_bits(z, expected));
    la::copy(x, z);
    CHECK(same_bits(z, x));
}
