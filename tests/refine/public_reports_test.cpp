// Inputs of the kinds that users of other programs reported: validation/cases/README.md has the
// sources.  The right x are those of NAME.x.txt, by rational numbers of Python.
#include "catch.hpp"
#include "exact_least_squares.hpp"

#include "ddla/matrix_market.hpp"
#include "ddla/solve.hpp"

#include <cmath>
#include <fstream>
#include <optional>

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::solve_options;
using ddla::solve_report;
using ddla::solve_status;
using ddla::vector;
using test::least_squares::numbers;

namespace {

std::string file(const std::string& name, const char* end)
{
    return DDLA_CASES "/" + name + end;
}

struct reported_system {
    csr_matrix<double> a;
    vector<double> b;
    std::vector<std::optional<mpq_class>> x;  ///< nothing where solutions differ
};

std::vector<std::optional<mpq_class>> right_values(const std::string& name)
{
    std::ifstream in(file(name, ".x.txt"));
    std::vector<std::optional<mpq_class>> x;
    for (std::string line; std::getline(in, line);) {
        x.emplace_back();
        if (line != "*") x.back().emplace(line);
    }
    return x;
}

reported_system read(const std::string& name, const char* right_hand_side = ".b.mtx")
{
    return {ddla::read_matrix<double>(file(name, ".mtx")),
            ddla::read_vector<double>(file(name, right_hand_side)), right_values(name)};
}

numbers exact_product(const csr_matrix<double>& a, const numbers& x)
{
    numbers y(static_cast<std::size_t>(a.rows()));
    const auto rows = test::least_squares::exact(a);
    for (std::size_t i = 0; i < y.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) y[i] += rows[i][j] * x[j];
    return y;
}

/// All components; each must be known.
numbers unique_x(const reported_system& of)
{
    numbers x;
    for (const auto& component : of.x) {
        REQUIRE(component.has_value());
        x.push_back(*component);
    }
    return x;
}

template <class T>
struct answer {
    solve_report report;
    vector<T> x, low;
};

template <class T>
answer<T> solved(const reported_system& of, int words, const solve_options& options = {})
{
    vector<T> b(of.a.rows());
    for (index_t i = 0; i < b.size(); ++i) b.set(i, T(of.b[i]));
    answer<T> found{{}, vector<T>(of.a.columns()), vector<T>(words == 4 ? of.a.columns() : 0)};
    if constexpr (std::is_same_v<T, dd_real>) {
        if (words == 4) {
            found.report = ddla::solve(of.a, b, found.x, found.low, options);
            return found;
        }
    }
    found.report = ddla::solve(of.a, b, found.x, options);
    return found;
}

template <class T>
double error_of(const answer<T>& found, const numbers& exact)
{
    std::vector<const vector<T>*> parts{&found.x};
    if (found.low.size() > 0) parts.push_back(&found.low);
    return test::least_squares::errors_of<T>(parts, exact).componentwise;
}

/// No claimed digit is wrong; the number of them.
template <class T>
double claimed(const answer<T>& found, const numbers& exact)
{
    const double error = error_of(found, exact);
    const double digits = found.report.digits.value_or(0);
    INFO("digits " << digits << ", error " << error);
    if (found.report.digits) CHECK(error <= 1.001 * std::pow(10, -digits));
    if (found.report.status == solve_status::converged) CHECK(error <= 1e-12);
    return digits;
}

}  // namespace

TEST_CASE("public reports: systems that have one x get nearly all digits", "[reports]")
{
    for (const char* const name :
         {"near-largest", "skew-array", "smallest-double", "rounding-for-zeros", "upper-triangle",
          "penalty", "pascal", "not-symmetric"}) {
        INFO(name);
        const reported_system s = read(name);
        const numbers exact = unique_x(s), b = exact_product(s.a, exact);
        for (std::size_t i = 0; i < b.size(); ++i)
            REQUIRE((b[i] == mpq_class(s.b[static_cast<index_t>(i)])));
        CHECK(claimed(solved<double>(s, 1), exact) > 15);
        CHECK(claimed(solved<dd_real>(s, 2), exact) > 31);
        CHECK(claimed(solved<dd_real>(s, 4), exact) > 60);
    }
}

TEST_CASE("public reports: what is beyond factors in double-double is not claimed", "[reports]")
{
    for (const char* const name : {"tiny-couplings", "smallest-pivot"}) {
        INFO(name);
        const reported_system s = read(name);
        const numbers exact = unique_x(s), b = exact_product(s.a, exact);
        for (std::size_t i = 0; i < b.size(); ++i)
            REQUIRE((b[i] == mpq_class(s.b[static_cast<index_t>(i)])));
        claimed(solved<double>(s, 1), exact);
        claimed(solved<dd_real>(s, 2), exact);
        claimed(solved<dd_real>(s, 4), exact);
    }
    // Here nothing is told, though each component is right.
    const reported_system s = read("smallest-pivot");
    CHECK(error_of(solved<dd_real>(s, 2), unique_x(s)) < 1e-31);
}

TEST_CASE("public reports: singular systems get one x, and the rank", "[reports]")
{
    struct singular {
        const char* name;
        index_t rank;
    };
    for (const auto& [name, rank] :
         {singular{"last-diagonal-zero", 3}, singular{"stored-zeros", 2},
          singular{"empty-row-and-column", 2}, singular{"constraint-twice", 3},
          singular{"cycle-of-four", 3}, singular{"entries-in-parts", 2}, singular{"equal-rows", 3},
          singular{"identity-with-corners", 5}}) {
        INFO(name);
        const reported_system s = read(name);
        const auto found = solved<dd_real>(s, 2);
        CHECK(found.report.status == solve_status::converged);
        CHECK_FALSE(found.report.digits.has_value());
        REQUIRE(found.report.rank.has_value());
        CHECK(found.report.rank->value == rank);
        CHECK(found.report.rank->consistent);
        CHECK(static_cast<index_t>(found.report.rank->dependent_rows.size()) == s.a.rows() - rank);
        numbers x;
        for (index_t j = 0; j < found.x.size(); ++j)
            x.push_back(test::exact_number(found.x[j]).rational());
        const numbers b = exact_product(s.a, x);
        for (std::size_t i = 0; i < b.size(); ++i)
            CHECK((abs(b[i] - mpq_class(s.b[static_cast<index_t>(i)])) <= 1e-28));
        for (std::size_t j = 0; j < x.size(); ++j)
            if (s.x[j]) CHECK((abs(x[j] - *s.x[j]) <= 1e-31 * abs(*s.x[j])));
    }
}

TEST_CASE("public reports: a b that no x reaches", "[reports]")
{
    // y = (2, -1, -1) has A^T y = 0, and (y, b) = -1: b is 1 / |y| from the range, of its norm 11.
    const auto found = solved<dd_real>(read("stored-zeros", "-other.b.mtx"), 2);
    CHECK(found.report.status == solve_status::singular);
    REQUIRE(found.report.rank.has_value());
    CHECK(found.report.rank->value == 2);
    CHECK_FALSE(found.report.rank->consistent);
    REQUIRE(found.report.rank->distance_of_b.has_value());
    CHECK(*found.report.rank->distance_of_b == Approx(1 / (11 * std::sqrt(6))).epsilon(1e-12));
    // y = (1, 0, 0, 0, 0, -1), (y, b) = 1, and the norm of b is 3.
    const auto corners = solved<dd_real>(read("identity-with-corners", "-other.b.mtx"), 2);
    CHECK(corners.report.status == solve_status::singular);
    CHECK(corners.report.rank.value().distance_of_b.value() ==
          Approx(1 / (3 * std::sqrt(2))).epsilon(1e-12));
}

TEST_CASE("public reports: a column without entries has rank 0", "[reports]")
{
    const auto found = solved<dd_real>(read("no-entries"), 2);
    CHECK(found.report.status == solve_status::converged);
    CHECK(found.report.limit == "A has rank 0, less than its 1 columns");
    CHECK((found.x[0] == dd_real(0)));
}

TEST_CASE("public reports: least squares of a singular system find the x of least norm",
          "[reports]")
{
    // (1, 1, 1, 1) + t (1, -1, 1, -1)
    const auto found = solved<dd_real>(read("cycle-of-four"), 2, {.method = ddla::method::lsmr});
    CHECK(found.report.status == solve_status::converged);
    CHECK_FALSE(found.report.digits.has_value());
    for (index_t j = 0; j < 4; ++j)
        CHECK(std::fabs(static_cast<double>(found.x[j] - dd_real(1))) < 1e-28);
}
