// Least squares and answers of least norm of real matrices by factors, against normal equations
// that are solved by Cholesky factors in 1000 bits: no claim that is wrong.
#include "catch.hpp"

#include "ddla/interop/mpfr.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/solve.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <mpfr.h>

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;

namespace {

constexpr mpfr_prec_t bits = 1000;
constexpr index_t most_unknowns = 420;

/// A matrix of numbers with `bits`.
class numbers {
public:
    numbers(std::size_t rows, std::size_t columns) : columns_(columns), all_(rows * columns)
    {
        for (auto& x : all_) {
            mpfr_init2(&x, bits);
            mpfr_set_zero(&x, 1);
        }
    }
    numbers(const numbers&) = delete;
    numbers& operator=(const numbers&) = delete;
    ~numbers()
    {
        for (auto& x : all_) mpfr_clear(&x);
    }
    mpfr_ptr operator()(std::size_t i, std::size_t j = 0) { return &all_[i * columns_ + j]; }

private:
    std::size_t columns_;
    std::vector<__mpfr_struct> all_;
};

struct entry {
    std::size_t column;
    double value;
};
using sparse_rows = std::vector<std::vector<entry>>;

/// Without every fourth column; or the transpose of that.
csr_matrix<double> rectangular(const csr_matrix<double>& a, bool wide)
{
    const auto v = a.view();
    const index_t columns = a.columns() - a.columns() / 4;
    ddla::coordinates<double> c{.rows = wide ? columns : a.rows(),
                                .columns = wide ? a.rows() : columns};
    for (index_t i = 0; i < v.rows; ++i)
        for (index_t e = v.row_begin[i]; e < v.row_begin[i + 1]; ++e) {
            const index_t j = v.column[e];
            if (j % 4 == 3 || v.value.get(e) == 0) continue;
            const index_t kept = j - j / 4;
            c.add(wide ? kept : i, wide ? i : kept, v.value.get(e));
        }
    return csr_matrix<double>(c);
}

/// The rows of B^T B = the products of columns of B, where B is A or, of a wide one, A^T.
sparse_rows columns_of_b(const csr_matrix<double>& a)
{
    const auto v = a.view();
    const bool tall = v.rows > v.columns;
    sparse_rows columns(static_cast<std::size_t>(std::min(v.rows, v.columns)));
    for (index_t i = 0; i < v.rows; ++i)
        for (index_t e = v.row_begin[i]; e < v.row_begin[i + 1]; ++e) {
            const auto row = static_cast<std::size_t>(i);
            const auto column = static_cast<std::size_t>(v.column[e]);
            columns[tall ? column : row].push_back({tall ? row : column, v.value.get(e)});
        }
    return columns;
}

void add_product(mpfr_ptr sum, double x, double y)
{
    mpfr_t product;
    mpfr_init2(product, 106);
    mpfr_set_d(product, x, MPFR_RNDN);
    mpfr_mul_d(product, product, y, MPFR_RNDN);
    mpfr_add(sum, sum, product, MPFR_RNDN);
    mpfr_clear(product);
}

/// y of G y = c, the result in c.  G, of which the lower triangle counts, becomes its factor.
void solve_definite(numbers& g, numbers& c, std::size_t n)
{
    mpfr_t t;
    mpfr_init2(t, bits);
    for (std::size_t k = 0; k < n; ++k) {
        REQUIRE(mpfr_sgn(g(k, k)) > 0);
        mpfr_sqrt(g(k, k), g(k, k), MPFR_RNDN);
        for (std::size_t i = k + 1; i < n; ++i)
            if (!mpfr_zero_p(g(i, k))) mpfr_div(g(i, k), g(i, k), g(k, k), MPFR_RNDN);
        for (std::size_t j = k + 1; j < n; ++j) {
            if (mpfr_zero_p(g(j, k))) continue;
            for (std::size_t i = j; i < n; ++i) {
                if (mpfr_zero_p(g(i, k))) continue;
                mpfr_mul(t, g(i, k), g(j, k), MPFR_RNDN);
                mpfr_sub(g(i, j), g(i, j), t, MPFR_RNDN);
            }
        }
    }
    const auto subtract = [&](std::size_t i, mpfr_ptr l, std::size_t k) {
        mpfr_mul(t, l, c(k), MPFR_RNDN);
        mpfr_sub(c(i), c(i), t, MPFR_RNDN);
    };
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) subtract(i, g(i, k), k);
        mpfr_div(c(i), c(i), g(i, i), MPFR_RNDN);
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) subtract(i, g(k, i), k);
        mpfr_div(c(i), c(i), g(i, i), MPFR_RNDN);
    }
    mpfr_clear(t);
}

/// x of A x ~ b for b of ones.
void find_truth(const csr_matrix<double>& a, numbers& x)
{
    const sparse_rows columns = columns_of_b(a);
    const std::size_t n = columns.size();
    const bool tall = a.rows() > a.columns();
    numbers g(n, n), c(n, 1);
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> dense(static_cast<std::size_t>(std::max(a.rows(), a.columns())), 0);
        for (const entry& e : columns[i]) dense[e.column] += e.value;
        for (std::size_t j = 0; j <= i; ++j)
            for (const entry& e : columns[j])
                if (dense[e.column] != 0) add_product(g(i, j), e.value, dense[e.column]);
        for (const entry& e : columns[i])
            if (tall) add_product(c(i), e.value, 1);
        if (!tall) mpfr_set_ui(c(i), 1, MPFR_RNDN);
    }
    solve_definite(g, c, n);
    mpfr_t t;
    mpfr_init2(t, bits);
    for (std::size_t i = 0; i < n; ++i) {
        if (tall) mpfr_set(x(i), c(i), MPFR_RNDN);
        for (const entry& e : columns[i]) {
            if (tall) break;
            mpfr_mul_d(t, c(i), e.value, MPFR_RNDN);
            mpfr_add(x(e.column), x(e.column), t, MPFR_RNDN);
        }
    }
    mpfr_clear(t);
}

struct errors {
    double normwise = 0, componentwise = 0;
};

errors errors_of(const ddla::vector<dd_real>& x, numbers& truth)
{
    mpfr_t e, largest, largest_e;
    for (mpfr_ptr t : {e, largest, largest_e}) {
        mpfr_init2(t, bits);
        mpfr_set_zero(t, 1);
    }
    errors found;
    for (index_t i = 0; i < x.size(); ++i) {
        const mpfr_ptr exact = truth(static_cast<std::size_t>(i));
        mpfr_set_d(e, x[i].hi, MPFR_RNDN);
        mpfr_add_d(e, e, x[i].lo, MPFR_RNDN);
        mpfr_sub(e, e, exact, MPFR_RNDN);
        if (mpfr_cmpabs(e, largest_e) > 0) mpfr_set(largest_e, e, MPFR_RNDN);
        if (mpfr_cmpabs(exact, largest) > 0) mpfr_set(largest, exact, MPFR_RNDN);
        if (mpfr_zero_p(e)) continue;
        mpfr_div(e, e, exact, MPFR_RNDN);
        found.componentwise = std::max(found.componentwise, std::fabs(mpfr_get_d(e, MPFR_RNDN)));
    }
    mpfr_div(e, largest_e, largest, MPFR_RNDN);
    found.normwise = std::fabs(mpfr_get_d(e, MPFR_RNDN));
    for (mpfr_ptr t : {e, largest, largest_e}) mpfr_clear(t);
    return found;
}

void check(const std::string& name, const csr_matrix<double>& square)
{
    for (const bool wide : {false, true}) {
        const auto a = rectangular(square, wide);
        const ddla::vector<dd_real> b(a.rows(), dd_real(1));
        ddla::vector<dd_real> x(a.columns());
        const auto report = ddla::solve(a, b, x);
        numbers truth(static_cast<std::size_t>(a.columns()), 1);
        find_truth(a, truth);
        const errors found = errors_of(x, truth);
        INFO(name << (wide ? ", wide: " : ", tall: ") << to_string(report.status) << ", errors "
                  << found.normwise << " " << found.componentwise << ", estimates "
                  << report.errors.normwise.value_or(-1) << " "
                  << report.errors.componentwise.value_or(-1));
        CHECK(report.status == ddla::solve_status::converged);
        CHECK(report.goal == ddla::solve_goal::digits);
        CHECK(found.componentwise <= 1e-12);
        CHECK(report.errors.trusted);
        CHECK(*report.errors.normwise >= found.normwise);
        CHECK(report.errors.componentwise_trusted);
        CHECK(*report.errors.componentwise >= found.componentwise);
    }
}

}  // namespace

TEST_CASE("least squares of real matrices are right in the digits that they claim",
          "[reference][matrices]")
{
    // Of full rank without every fourth column.
    const char* const names[] = {"west0132", "fs_183_1", "fs_541_2", "gre_115", "arc130",  "lund_a",
                                 "494_bus",  "olm500",   "tub100",   "nos1",    "bcsstk04"};
    const char* const set = std::getenv("DDLA_TEST_MATRICES");
    int missing = 0;
    for (const std::string name : names) {
        std::filesystem::path file = std::filesystem::path(DDLA_EXAMPLES) / (name + ".mtx");
        if (!exists(file) && set) file = std::filesystem::path(set) / (name + ".mtx");
        if (!exists(file)) {
            ++missing;
            continue;
        }
        const auto a = ddla::read_matrix<double>(file);
        REQUIRE(a.columns() - a.columns() / 4 <= most_unknowns);
        check(name, a);
    }
    if (missing > 0)
        SKIP_CASE(std::to_string(missing) + " matrices are not there: set DDLA_TEST_MATRICES to "
                                            "their folder; those that are there passed");
}
