// LU by supernodes of new values, by the analysis of old ones.
#include "definite_systems.hpp"
#include "static_systems.hpp"
#include "support/everywhere.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <cstdlib>
#include <filesystem>

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;
using test::dd;
using test::on_threads;

namespace {

/// The same pattern with value(k, v) for entry k.
template <class V, class Value>
csr_matrix<V> changed(const csr_matrix<V>& a, const Value& value)
{
    const auto view = a.view();
    ddla::vector<V> values(a.nonzeros());
    for (index_t k = 0; k < a.nonzeros(); ++k) values.set(k, value(k, view.value.get(k)));
    std::vector<index_t> begin;
    for (index_t i = 0; i <= a.rows(); ++i) begin.push_back(view.row_begin[i]);
    return {a.rows(), a.columns(), begin,
            std::vector<ddla::column_t>(view.column, view.column + a.nonzeros()),
            std::move(values)};
}

template <class V>
csr_matrix<V> near(const csr_matrix<V>& a, std::uint64_t seed)
{
    test::random_numbers random(seed);
    return changed(a, [&](index_t, V v) { return v * (1 + random.real() / 64); });
}

/// x of a solve with A and one with A^T, both words of each number.
template <class F>
std::vector<F> solutions(const static_factors<F>& f)
{
    const index_t n = f.about().n;
    ddla::vector<F> b(n), x(n);
    for (index_t i = 0; i < n; ++i) b.set(i, F(1) / F(3.0 + static_cast<double>(i % 7)));
    std::vector<F> all;
    f.template solve<F>(std::as_const(b).view(), x.view());
    for (index_t i = 0; i < n; ++i) all.push_back(x[i]);
    f.template solve_transposed<F>(std::as_const(b).view(), x.view());
    for (index_t i = 0; i < n; ++i) all.push_back(x[i]);
    return all;
}

/// After one correction, relative to b.
double residual(const csr_matrix<double>& a, const static_factors<double>& f)
{
    const ddla::vector<double> b(a.rows(), 1.0);
    ddla::vector<double> x(a.rows()), r(a.rows()), correction(a.rows());
    f.solve<double>(b.view(), x.view());
    ddla::residual(a, x, b, r);
    f.solve<double>(std::as_const(r).view(), correction.view());
    for (index_t i = 0; i < a.rows(); ++i) x.set(i, x[i] + correction[i]);
    return ddla::true_residual(a, x, b).relative;
}

/// All that reports have but times.
void check_same(const static_report& r, const static_report& wanted)
{
    CHECK(r.end == wanted.end);
    CHECK(r.n == wanted.n);
    CHECK(r.rank == wanted.rank);
    CHECK(r.nonzeros == wanted.nonzeros);
    CHECK(r.entries == wanted.entries);
    CHECK(r.operations == wanted.operations);
    CHECK(r.bytes == wanted.bytes);
    CHECK(r.ordering == wanted.ordering);
    CHECK(r.growth == wanted.growth);
    CHECK(r.largest_multiplier == wanted.largest_multiplier);
    CHECK(r.smallest_pivot == wanted.smallest_pivot);
    CHECK(r.smallest_pivot_row == wanted.smallest_pivot_row);
    CHECK(r.done == wanted.done);
}

/// Returns whether new values were taken.
template <class F>
bool check_refactoring(const csr_matrix<dd>& a)
{
    const auto first = static_factors<F>::make(a.view(), on_threads());
    if (first.about().replaced > 0) return false;
    const auto wanted = solutions(first);
    static_factors<F> f = first;
    REQUIRE(f.refactor(a.view()));
    check_same(f.about(), first.about());
    CHECK(f.places() == first.places());
    CHECK(solutions(f) == wanted);
    const auto later = near(a, 7);
    if (!f.refactor(later.view())) return false;
    test::check_bits(later, f);
    CHECK(solutions(f) != wanted);
    CHECK(solutions(first) == wanted);  // another object
    REQUIRE(f.refactor(a.view()));      // bits of values and analysis, whatever was between
    CHECK(solutions(f) == wanted);
    return true;
}

}  // namespace

TEST_CASE("new values by an old analysis have the bits of the serial program", "[factor][static]")
{
    const auto graphs = test::graphs_of_all_shapes();
    test::everywhere([&] {
        std::uint64_t seed = 200;
        std::size_t taken = 0;
        for (const auto& e : graphs) {
            INFO(e.rows.size() << " columns");
            const auto a = test::unsymmetric_on(e, ++seed);
            taken += check_refactoring<double>(a);
            taken += check_refactoring<dd>(a);
        }
        CHECK(taken > graphs.size());
    });
}

TEST_CASE("values times a power of two have the same factors, scaled", "[factor][static]")
{
    const auto a = ddla::generate::convection_diffusion(12, 12, 12);
    const auto first = static_factors<dd>::make(a.view(), on_threads());
    for (const int exponent : {1, -70, 300, -800}) {
        static_factors<dd> f = first;
        const auto scaled = changed(a, [&](index_t, double v) { return std::ldexp(v, exponent); });
        REQUIRE(f.refactor(scaled.view()));
        CHECK(f.about().growth == first.about().growth);
        CHECK(f.about().smallest_pivot == first.about().smallest_pivot);
        const auto x = solutions(f), wanted = solutions(first);
        int wrong = 0;
        for (std::size_t k = 0; k < x.size(); ++k) wrong += !(ldexp(x[k], exponent) == wanted[k]);
        CHECK(wrong == 0);
    }
}

TEST_CASE("an analysis refuses values that it does not suit", "[factor][static]")
{
    const auto a = ddla::generate::convection_diffusion(9, 9, 9);
    const auto first = static_factors<double>::make(a.view(), {});
    const auto wanted = solutions(first);
    static_factors<double> f = first;
    const auto refuses = [&](const auto& values) {
        const bool was_refused = !f.refactor(values.view());
        CHECK(solutions(f) == wanted);
        return was_refused;
    };
    CHECK(refuses(changed(a, [](index_t k, double v) { return k == 7 ? INFINITY : v; })));
    CHECK(refuses(changed(a, [](index_t, double v) { return 0 * v; })));
    // A row of zeros has no pivot but a replaced one.
    CHECK(refuses(changed(a, [](index_t k, double v) { return k < 4 ? 0 : v; })));
    // An entry where neither L nor U has a place: of the first and the last pivot.
    const index_t row = first.row_of().front(), column = first.column_of().back();
    for (const bool is_lower : {false, true}) {
        ddla::coordinates<double> c{.rows = a.rows(), .columns = a.columns()};
        for (index_t i = 0; i < a.rows(); ++i)
            for (index_t k = a.view().row_begin[i]; k < a.view().row_begin[i + 1]; ++k)
                c.add(i, a.view().column[k], a.view().value.get(k));
        is_lower ? c.add(column, row, 1) : c.add(row, column, 1);
        CHECK(refuses(csr_matrix<double>(c)));
    }
    CHECK_THROWS_AS(f.refactor(ddla::generate::random(7, 2, 1, 1).view()), ddla::input_error);
    // Fewer entries have places; zeros are left out.
    CHECK(f.refactor(changed(a, [](index_t k, double v) { return k == 1 ? 0 : v; }).view()));
    // Replaced pivots, and numbers that grow.
    const auto full = test::unsymmetric_on(ddla::test::complete(150), 5);
    const auto made = static_factors<double>::make(full.view(), {});
    static_factors<double> g = made;
    CHECK(g.refactor(full.view()));
    CHECK_FALSE(g.refactor(test::with_dependent_rows(150, 5).view()));
    CHECK_FALSE(g.refactor(test::with_dependent_rows(150, 5, 1e-9).view()));
    CHECK(solutions(g) == solutions(made));
}

TEST_CASE("real matrices are factored again with the same bits", "[factor][matrices]")
{
    const char* const folder = std::getenv("DDLA_TEST_MATRICES");
    if (!folder) SKIP_CASE("set DDLA_TEST_MATRICES to a folder of .mtx and .mtx.gz files");
    int done = 0, kept = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        const std::string name = file.path().filename().string();
        if (name.find(".mtx") == std::string::npos) continue;
        const auto a = ddla::read_matrix<double>(file.path());
        if (a.rows() != a.columns() || a.rows() > 12000) continue;
        INFO(name);
        static_options o = on_threads();
        o.most_operations = 1e9;
        auto f = static_factors<double>::make(a.view(), o);
        if (f.about().end != factor_end::complete || f.about().replaced > 0 ||
            has_weak_pivots(f.about(), 0x1p20))
            continue;
        const auto wanted = solutions(f);
        REQUIRE(f.refactor(a.view()));
        CHECK(solutions(f) == wanted);
        ++done;
        const auto later = near(a, 3);
        if (!f.refactor(later.view())) continue;
        ++kept;
        const auto anew = static_factors<double>::make(later.view(), o);
        const double by_new = anew.about().end == factor_end::complete ? residual(later, anew) : 0;
        CHECK(residual(later, f) <= 1e3 * by_new + 1e-9);
    }
    if (done < 20) SKIP_CASE("fewer than 20 matrices in that folder have such factors");
    CHECK(kept >= done * 9 / 10);
}
