// The recomputed residual against MPFR with 2200 bits, where every sum here is exact.
#include "catch.hpp"
#include "support/everywhere.hpp"
#include "support/random.hpp"

#include <mpfr.h>

using dd = ddla::dd_real;
using ddla::index_t;

namespace {

/// A number of 2200 bits: the exact sum of any products of these tests.
class big {
public:
    big() { mpfr_init2(x_, 2200), mpfr_set_zero(x_, 1); }
    explicit big(double x) : big() { mpfr_set_d(x_, x, MPFR_RNDN); }
    explicit big(dd x) : big(x.hi) { mpfr_add_d(x_, x_, x.lo, MPFR_RNDN); }
    big(const big& other) : big() { mpfr_set(x_, other.x_, MPFR_RNDN); }
    big& operator=(const big& other)
    {
        mpfr_set(x_, other.x_, MPFR_RNDN);
        return *this;
    }
    ~big() { mpfr_clear(x_); }

    friend big operator*(const big& a, const big& b)
    {
        big c;
        mpfr_mul(c.x_, a.x_, b.x_, MPFR_RNDN);
        return c;
    }
    friend big operator+(const big& a, const big& b)
    {
        big c;
        mpfr_add(c.x_, a.x_, b.x_, MPFR_RNDN);
        return c;
    }
    friend big operator-(const big& a, const big& b)
    {
        big c;
        mpfr_sub(c.x_, a.x_, b.x_, MPFR_RNDN);
        return c;
    }
    friend big sqrt(const big& a)
    {
        big c;
        mpfr_sqrt(c.x_, a.x_, MPFR_RNDN);
        return c;
    }
    /// |this - x| / |this|.
    double relative_error(dd x) const
    {
        big e = *this - big(x);
        mpfr_div(e.x_, e.x_, x_, MPFR_RNDN);
        return std::fabs(mpfr_get_d(e.x_, MPFR_RNDN));
    }

private:
    mpfr_t x_;
};

template <class T, class V>
big exact_norm(const ddla::csr_matrix<V>& a, const ddla::vector<T>& x, const ddla::vector<T>& b)
{
    const auto m = a.view();
    big sum;
    for (index_t i = 0; i < m.rows; ++i) {
        big r(b[i]);
        for (index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
            r = r - big(m.value.get(k)) * big(x[m.column[k]]);
        sum = sum + r * r;
    }
    return sqrt(sum);
}

template <class T, class V>
struct types {
    using scalar = T;
    using value = V;
};
using double_double = types<double, double>;
using dd_double = types<dd, double>;
using dd_dd = types<dd, dd>;

}  // namespace

TEMPLATE_TEST_CASE("the true residual is right to the last digits", "[operations]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto a =
        test::random_matrix<V>(300, 300, 51, [](index_t i) { return i == 9 ? 700 : i % 12; });
    const auto x = test::random_vector<T>(300, 52);
    // b = A x in T: what is left are the roundings of that product, down to the last bit of T.
    ddla::vector<T> b(300);
    ddla::spmv(T(1), a, x, T(0), b);
    const big truth = exact_norm(a, x, b);
    test::everywhere([&] {
        const auto norms = ddla::true_residual(a, x, b);
        CHECK(truth.relative_error(norms.residual) < 1e-30);
        CHECK(norms.relative > 0);
        CHECK(norms.relative < (sizeof(T) == 8 ? 1e-14 : 1e-30));
        CHECK(norms.right_hand_side == dd(ddla::nrm2(b)));
    });
}

TEST_CASE("the true residual survives cancellation of all digits of double-double", "[operations]")
{
    // 1 + 2^-150 + 2^-205 - 1 - 2^-150 in one row: sums of 106 bits see nothing of it.
    const ddla::vector<dd> value{1.0, 0x1p-150, 0x1p-205, -1.0, -0x1p-150};
    const ddla::csr_matrix<dd> a(1, 5, {0, 5}, {0, 1, 2, 3, 4}, value);
    const ddla::vector<dd> x(5, dd(1)), b(1);
    CHECK(ddla::true_residual(a, x, b).residual == dd(0x1p-205));
}

TEMPLATE_TEST_CASE("the true residual of huge numbers does not overflow on the way", "[operations]",
                   double, dd)
{
    // By the rule 2^1023 + 2^1023 - 2^1023.
    const ddla::csr_matrix<double> a(1, 3, {0, 3}, {0, 1, 2}, ddla::vector<double>{1, -1, 1});
    const ddla::vector<TestType> x(3, TestType(0x1p1023)), b(1, TestType(0x1p1023 + 0x1p1000));
    CHECK(ddla::true_residual(a, x, b).residual == dd(0x1p1000));
}

TEST_CASE("relative residuals of zero", "[operations]")
{
    const ddla::csr_matrix<double> a(1, 1, {0, 1}, {0}, ddla::vector<double>{2.0});
    CHECK(ddla::true_residual(a, ddla::vector<double>{3}, ddla::vector<double>{6}).relative == 0);
    CHECK(ddla::true_residual(a, ddla::vector<double>{0}, ddla::vector<double>{0}).relative == 0);
    CHECK(std::isinf(
        ddla::true_residual(a, ddla::vector<double>{1}, ddla::vector<double>{0}).relative));
}
