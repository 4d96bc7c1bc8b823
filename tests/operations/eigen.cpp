// ddla/eigen.hpp: matrices and vectors of Eigen in and out, and Eigen's dense methods with
// dd_real, against inverses and eigenvalues that are known exactly.
#include "ddla/eigen.hpp"
#include "catch.hpp"
#include "ddla/ddla.hpp"
#include "ddla/interop/mpfr.hpp"
#include "support/same_bits.hpp"

#include <Eigen/Dense>
#include <complex>
#include <mpfr.h>

namespace {

using ddla::dd_real;
using dense = Eigen::Matrix<dd_real, Eigen::Dynamic, Eigen::Dynamic>;
using column = Eigen::Matrix<dd_real, Eigen::Dynamic, 1>;

/// Entries of a 4 x 3 matrix with an empty row, in no order.
std::vector<Eigen::Triplet<double>> some_entries()
{
    return {{3, 0, 0.1}, {0, 2, -7}, {0, 0, 3}, {3, 2, 1e-300}, {1, 1, 2.5}, {3, 1, -0.0}};
}

template <class V>
ddla::csr_matrix<V> expected()
{
    ddla::coordinates<V> c{.rows = 4, .columns = 3};
    for (const auto& e : some_entries()) c.add(e.row(), e.col(), e.value());
    return ddla::csr_matrix<V>(c);
}

template <class V, int Order, class Index>
Eigen::SparseMatrix<V, Order, Index> some_matrix()
{
    Eigen::SparseMatrix<double, Order, Index> a(4, 3);
    const auto entries = some_entries();
    a.setFromTriplets(entries.begin(), entries.end());
    return a.template cast<V>();
}

double binomial(int n, int k)
{
    double result = 1;
    for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
    return result;  // exact: a partial product is a binomial coefficient
}

/// The Hilbert matrix of order n times lcm(1, ..., 2 n - 1): integers.
dense hilbert(int n, double scale)
{
    dense a(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) a(i, j) = scale / (i + j + 1);
    return a;
}

/// Of the inverse of the Hilbert matrix: integers (Choi, Amer. Math. Monthly 90, 1983).
double inverse_hilbert(int n, int i, int j)
{
    const double sign = (i + j) % 2 == 0 ? 1 : -1, middle = binomial(i + j, i);
    return sign * (i + j + 1) * binomial(n + i, n - j - 1) * binomial(n + j, n - i - 1) * middle *
           middle;
}

/// 2 - 2 cos(k pi / (n + 1)), eigenvalue k of the second differences, from MPFR.
dd_real eigenvalue(int k, int n)
{
    mpfr_t x;
    mpfr_init2(x, 200);
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_mul_si(x, x, k, MPFR_RNDN);
    mpfr_div_si(x, x, n + 1, MPFR_RNDN);
    mpfr_cos(x, x, MPFR_RNDN);
    mpfr_mul_si(x, x, -2, MPFR_RNDN);
    mpfr_add_si(x, x, 2, MPFR_RNDN);
    const dd_real result = ddla::from_mpfr(x);
    mpfr_clear(x);
    return result;
}

dense second_differences(int n)
{
    dense a = dense::Zero(n, n);
    for (int i = 0; i < n; ++i) {
        a(i, i) = 2;
        if (i > 0) a(i, i - 1) = a(i - 1, i) = -1;
    }
    return a;
}

double largest(const dense& a)
{
    return double(a.cwiseAbs().maxCoeff());
}

template <class A>
concept comes_in = requires(const A& a)
{
    ddla::from_eigen(a);
};

}  // namespace

TEST_CASE("sparse matrices of Eigen become csr matrices")
{
    CHECK(test::same_bits(ddla::from_eigen(some_matrix<double, Eigen::ColMajor, int>()),
                          expected<double>()));
    CHECK(test::same_bits(ddla::from_eigen(some_matrix<double, Eigen::RowMajor, int>()),
                          expected<double>()));
    CHECK(test::same_bits(ddla::from_eigen(some_matrix<double, Eigen::RowMajor, short>()),
                          expected<double>()));
    CHECK(test::same_bits(ddla::from_eigen(some_matrix<dd_real, Eigen::ColMajor, std::int64_t>()),
                          expected<dd_real>()));

    SECTION("with room between columns")
    {
        auto a = some_matrix<double, Eigen::ColMajor, int>();
        a.reserve(Eigen::VectorXi::Constant(3, 5));
        REQUIRE(!a.isCompressed());
        CHECK(test::same_bits(ddla::from_eigen(a), expected<double>()));
    }
    SECTION("mapped, without a copy by Eigen")
    {
        const auto a = some_matrix<double, Eigen::RowMajor, int>();
        const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> map(
            4, 3, a.nonZeros(), a.outerIndexPtr(), a.innerIndexPtr(), a.valuePtr());
        CHECK(test::same_bits(ddla::from_eigen(map), expected<double>()));
    }
    SECTION("expressions")
    {
        const auto a = some_matrix<double, Eigen::ColMajor, int>();
        CHECK(
            test::same_bits(ddla::from_eigen(a.transpose()), ddla::transpose(expected<double>())));
        CHECK(test::same_bits(ddla::from_eigen(2.0 * a * 0.5), expected<double>()));
    }
    SECTION("without rows or entries")
    {
        CHECK(test::same_bits(ddla::from_eigen(Eigen::SparseMatrix<double>()),
                              ddla::csr_matrix<double>()));
        CHECK(ddla::from_eigen(Eigen::SparseMatrix<double>(2, 5)).columns() == 5);
    }
    STATIC_REQUIRE(comes_in<Eigen::SparseMatrix<dd_real>>);
    STATIC_REQUIRE(!comes_in<Eigen::SparseMatrix<float>>);
    STATIC_REQUIRE(!comes_in<Eigen::SparseMatrix<std::complex<double>>>);
}

TEST_CASE("csr matrices become sparse matrices of Eigen")
{
    CHECK(
        test::same_bits(ddla::from_eigen(ddla::to_eigen(expected<double>())), expected<double>()));
    CHECK(test::same_bits(ddla::from_eigen(ddla::to_eigen<std::int64_t>(expected<dd_real>())),
                          expected<dd_real>()));

    // Not in order, and twice (1, 0): Eigen takes neither.
    const ddla::csr_matrix<double> a(2, 2, {0, 2, 5}, {1, 0, 0, 1, 0}, {4.0, 3.0, 1.0, 2.0, 8.0});
    const Eigen::SparseMatrix<double, Eigen::RowMajor> b = ddla::to_eigen(a);
    CHECK(b.isCompressed());
    CHECK(b.nonZeros() == 4);
    CHECK(Eigen::Matrix2d(b) == (Eigen::Matrix2d() << 3, 4, 9, 2).finished());

    const auto wide = ddla::generate::poisson2d(100, 100);
    CHECK_THROWS_WITH(ddla::to_eigen<short>(wide),
                      "indices up to 32767 do not hold a matrix with 10000 rows, 10000 columns and "
                      "49600 entries");
}

TEST_CASE("vectors go to Eigen and come back")
{
    const column x = (column(3) << dd_real(1) / 3, -0.0, 1e300).finished();
    const ddla::vector<dd_real> y = ddla::from_eigen(x);
    REQUIRE(y.size() == 3);
    CHECK(y[0] == dd_real(1) / 3);
    CHECK(signbit(dd_real(y[1])));
    CHECK(ddla::to_eigen(y) == x);

    const Eigen::RowVector3d row(1, 2, 3);
    CHECK(ddla::to_eigen(ddla::from_eigen(row)) == Eigen::Vector3d(1, 2, 3));
    CHECK(dd_real(ddla::from_eigen<dd_real>(2 * row)[2]) == 6);
    CHECK(ddla::from_eigen(Eigen::VectorXd()).size() == 0);
    CHECK_THROWS_WITH(ddla::from_eigen(Eigen::MatrixXd(2, 5)),
                      "a vector has one row or one column, this matrix of Eigen is 2 x 5");
}

TEST_CASE("a system of Eigen is solved")
{
    const Eigen::SparseMatrix<double> a = ddla::to_eigen(ddla::generate::poisson2d(9, 7));
    const column ones = column::Ones(a.cols());
    const column b = a.cast<dd_real>() * ones;  // small integers: exact
    ddla::vector<dd_real> x(a.cols());
    const ddla::solve_report report = ddla::solve(ddla::from_eigen(a), ddla::from_eigen(b), x);
    CHECK(report.status == ddla::solve_status::converged);
    CHECK(double((ddla::to_eigen(x) - ones).cwiseAbs().maxCoeff()) < 1e-30);
}

TEST_CASE("Eigen knows the precision of dd_real")
{
    using traits = Eigen::NumTraits<dd_real>;
    CHECK(traits::epsilon() == std::numeric_limits<dd_real>::epsilon());
    CHECK(traits::highest() == std::numeric_limits<dd_real>::max());
    CHECK(traits::lowest() == std::numeric_limits<dd_real>::lowest());
    CHECK(traits::digits10() == 31);
    CHECK(traits::dummy_precision() > traits::epsilon());
    CHECK(Eigen::Matrix<dd_real, 1, 1>(dd_real(1) / 3).norm() - dd_real(1) / 3 < 1e-31);
}

TEST_CASE("doubles and dd_reals mix in Eigen without loss")
{
    const dd_real third = dd_real(1) / 3;
    const Eigen::Matrix2d a = (Eigen::Matrix2d() << 1, 2, 4, 8).finished();
    const column x = column::Constant(2, third);
    const column y = a * x;  // exact but for sums, by powers of two
    CHECK(y(0) == third + third * 2.0);
    CHECK(y(1) == third * 4.0 + third * 8.0);
    CHECK((x * 2.0)(0) == third * 2.0);
    CHECK((0.5 * x)(1) == third * 0.5);
    CHECK((x.array() + 1.0)(0) == third + 1.0);
    CHECK(x.cast<double>()(0) == third.hi);
    CHECK((ddla::to_eigen(expected<double>()) * column::Constant(3, third))(1) == 2.5 * third);
}

TEST_CASE("Eigen inverts integer Hilbert matrices in double-double")
{
    constexpr int n = 9;
    constexpr double lcm = 12252240;  // of 1, ..., 17
    const dense a = hilbert(n, lcm);
    dense exact(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) exact(i, j) = inverse_hilbert(n, i, j) / dd_real(lcm);
    REQUIRE(largest(a * exact - dense::Identity(n, n)) <
            1e-19);  // entries up to 3e6 times 6e12 u^2

    // kappa_2 = 4.9e11: 20 of 32 digits stay, of 16 in double 4.
    const auto error = [&](const dense& inverse) {
        return largest(inverse - exact) / largest(exact);
    };
    const dense identity = dense::Identity(n, n);
    CHECK(error(a.partialPivLu().inverse()) < 1e-19);
    CHECK(error(a.fullPivLu().inverse()) < 1e-19);
    CHECK(error(a.llt().solve(identity)) < 1e-19);
    CHECK(error(a.ldlt().solve(identity)) < 1e-19);
    CHECK(error(a.householderQr().solve(identity)) < 1e-19);
    CHECK(error(a.colPivHouseholderQr().solve(identity)) < 1e-19);
    CHECK(a.fullPivLu().rank() == n);
    CHECK(error(a.cast<double>().partialPivLu().inverse().cast<dd_real>()) > 1e-9);
}

TEST_CASE("Eigen's Q is orthogonal to 31 digits")
{
    const dense a = hilbert(9, 1);
    const Eigen::HouseholderQR<dense> qr(a);
    const dense q = qr.householderQ(), r = qr.matrixQR().triangularView<Eigen::Upper>();
    CHECK(largest(q.transpose() * q - dense::Identity(9, 9)) < 1e-30);
    CHECK(largest(q * r - a) < 1e-30);
}

TEST_CASE("Eigen finds eigenvalues and singular values in double-double")
{
    constexpr int n = 12;
    const dense a = second_differences(n);
    const Eigen::SelfAdjointEigenSolver<dense> solver(a);
    REQUIRE(solver.info() == Eigen::Success);
    const Eigen::JacobiSVD<dense> svd(a);
    double worst = 0, worst_singular = 0;
    for (int k = 1; k <= n; ++k) {
        const dd_real exact = eigenvalue(k, n);
        worst = std::max(worst, double(abs(solver.eigenvalues()(k - 1) - exact)));
        worst_singular = std::max(worst_singular, double(abs(svd.singularValues()(n - k) - exact)));
    }
    CHECK(worst < 1e-29);
    CHECK(worst_singular < 1e-29);
    const dense& v = solver.eigenvectors();
    CHECK(largest(v.transpose() * v - dense::Identity(n, n)) < 1e-30);
}
