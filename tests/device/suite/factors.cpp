// Factors that are made at the device: the bits of the host, in whatever way they are made.
#include "catch.hpp"
#include "everywhere.hpp"
#include "factor/definite_systems.hpp"
#include "factor/symmetric_systems.hpp"

#include "ddla/factors.hpp"
#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "engine/engine.hpp"
#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/factor_operations.hpp"
#include "factor/supernodal/static_factors.hpp"
#include "factor/supernodal/symmetric.hpp"

#include <cstring>

using ddla::column_t;
using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::vector;
using namespace ddla::factor;
using test::gpu;

namespace {

const place_of_factors at_device = [](double) { return ddla::device_engine(0).factors(); };

/// With tensor cores, where they can be used, and without; with tiles as they are chosen, and with
/// large ones wherever a supernode is wide enough.
template <class Check>
void in_every_way(const Check& check)
{
    for (const int tensor : {0, -1})
        for (const index_t large : {0, 1}) {
            CAPTURE(tensor, large);
            ddla::device_backend::schedule s;
            s.tensor_products = tensor;
            s.large_tiles_from = large;
            test::under(s, check);
        }
}

std::vector<ddla::test::edges> many_graphs()
{
    using namespace ddla::test;
    return {grid(9, 8, 1),
            grid(13, 12, 9),
            grid(5, 4, 4, true, 3),
            star(40),
            path(200),
            complete(300),
            complete(7),
            with_dense_column(300),
            test::full_parts(),
            grid(40, 30, 1, true, 1)};
}

template <class T>
bool same(const T& a, const T& b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Places of L, by factors that have entry(i, j), of which the bits differ.
template <class Factors>
index_t different_entries(const Factors& here, const Factors& there, bool with_diagonal)
{
    const supernodes& s = here.parts();
    index_t count = 0;
    for (column_t q = 0; q < s.size(); ++q)
        for (column_t j = s.first[as_size(q)]; j < s.first[as_size(q) + 1]; ++j) {
            for (column_t i = with_diagonal ? j : j + 1; i < s.first[as_size(q) + 1]; ++i)
                count += same(here.entry(i, j), there.entry(i, j)) ? 0 : 1;
            for (column_t k = 0; k < s.below(q); ++k)
                count += same(here.entry(s.rows(q)[k], j), there.entry(s.rows(q)[k], j)) ? 0 : 1;
        }
    return count;
}

/// The solutions of two factors, in T, of some systems at a time, also with A^T and in place.
template <class T, class Factors>
void check_solves(const Factors& here, const Factors& there, index_t n, index_t systems)
{
    CAPTURE(ddla::words_of<T>, systems);
    const auto b = test::random_vector<T>(n * systems, 5);
    vector<T> x(b.size()), y = b;
    here.solve(b.view(), x.view());
    there.solve(b.view(), y.view());
    CHECK(test::same_bits(x, y));
    if constexpr (requires { here.solve_transposed(b.view(), x.view()); }) {
        here.solve_transposed(b.view(), x.view());
        there.solve_transposed(b.view(), y.view());
        CHECK(test::same_bits(x, y));
    }
    there.solve(std::as_const(x).view(), y.view());
    there.solve(std::as_const(x).view(), x.view());
    CHECK(test::same_bits(x, y));
}
/// Of vectors at the device, again and again; not in place only.
template <class T, class F>
void check_solves_there(const static_factors<F>& here, const static_factors<F>& there)
{
    CAPTURE(ddla::words_of<T>);
    const index_t n = here.about().n;
    REQUIRE(there.device() == 0);
    REQUIRE(here.device() == -1);
    const auto solver = there.template solver_there<T>(*ddla::device_engine(0).factors());
    for (const std::uint64_t seed : {5, 6}) {
        auto b = test::random_vector<T>(n, seed);
        if (seed == 6)
            for (index_t i = 0; i < n; ++i) b.set(i, b[i] * T(0x1p-400));
        vector<T> x(n), y(n, gpu);
        here.solve(std::as_const(b).view(), x.view());
        const vector<T> b_there = b.to(gpu);
        solver->solve(b_there.view(), y.view());
        ddla::device_engine(0).wait();
        CHECK(test::same_bits(y.to(ddla::host), x));
        y = b.to(gpu);
        solver->solve(std::as_const(y).view(), y.view());
        ddla::device_engine(0).wait();
        CHECK(test::same_bits(y.to(ddla::host), x));
    }
}

/// With panels in shared memory and without.
template <class Factors, class Make>
void compare_solves(const Factors& here, index_t n, const Make& make)
{
    for (const int staged : {0, -1}) {
        CAPTURE(staged);
        ddla::device_backend::schedule s;
        s.staged_panels = staged;
        test::under(s, [&] {
            const Factors there = make();
            REQUIRE(there.about().maker == factor_maker_is::device);
            const std::int64_t before = ddla::device_backend::solves_with_factors();
            for (const index_t systems : {1, 2, 7}) {
                check_solves<double>(here, there, n, systems);
                check_solves<dd_real>(here, there, n, systems);
            }
            CHECK(ddla::device_backend::solves_with_factors() > before);
            if constexpr (requires { there.device(); }) {
                check_solves_there<double>(here, there);
                check_solves_there<dd_real>(here, there);
            }
        });
    }
}

template <class F>
void compare_definite(const csr_matrix<dd_real>& a)
{
    const auto here = definite_factors<F>::make(a.view(), {});
    in_every_way([&] {
        const auto there = definite_factors<F>::make(a.view(), {.at = at_device});
        CHECK(there.about().maker == factor_maker_is::device);
        REQUIRE(there.about().end == here.about().end);
        CHECK(there.about().bad_row == here.about().bad_row);
        if (here.about().end != factor_end::complete) return;
        CHECK(different_entries(here, there, true) == 0);
        CHECK(same(there.about().smallest_pivot, here.about().smallest_pivot));
    });
    if (here.about().end == factor_end::complete)
        compare_solves(here, a.rows(),
                       [&] { return definite_factors<F>::make(a.view(), {.at = at_device}); });
}

template <class F>
void compare_symmetric(const csr_matrix<dd_real>& a)
{
    const auto here = symmetric_factors<F>::make(a.view(), {});
    in_every_way([&] {
        symmetric_options o;
        o.at = at_device;
        const auto there = symmetric_factors<F>::make(a.view(), o);
        REQUIRE(there.about().end == here.about().end);
        if (here.about().end != factor_end::complete) return;
        CHECK(there.about().maker == factor_maker_is::device);
        CHECK(different_entries(here, there, false) == 0);
        CHECK(there.row_of() == here.row_of());
        CHECK(there.about().replaced == here.about().replaced);
        index_t different = 0;
        for (index_t k = 0; k < a.rows(); ++k) {
            different +=
                same(here.pivots().diagonal.get(k), there.pivots().diagonal.get(k)) ? 0 : 1;
            different += same(here.pivots().beside.get(k), there.pivots().beside.get(k)) ? 0 : 1;
        }
        CHECK(different == 0);
        CHECK(same(there.about().growth, here.about().growth));
        CHECK(same(there.about().largest_multiplier, here.about().largest_multiplier));
    });
    if (here.about().end == factor_end::complete)
        compare_solves(here, a.rows(), [&] {
            symmetric_options o;
            o.at = at_device;
            return symmetric_factors<F>::make(a.view(), o);
        });
}

template <class F, class V>
void compare_lu(const csr_matrix<V>& a)
{
    const auto here = static_factors<F>::make(a.view(), {});
    in_every_way([&] {
        static_options o;
        o.at = at_device;
        const auto there = static_factors<F>::make(a.view(), o);
        REQUIRE(there.about().end == here.about().end);
        if (here.about().end != factor_end::complete) return;
        CHECK(there.about().maker == factor_maker_is::device);
        CHECK(there.row_of() == here.row_of());
        CHECK(there.about().replaced == here.about().replaced);
        CHECK(same(there.about().growth, here.about().growth));
        CHECK(same(there.about().largest_multiplier, here.about().largest_multiplier));
        CHECK(same(there.about().smallest_pivot, here.about().smallest_pivot));
    });
    if (here.about().end == factor_end::complete)
        compare_solves(here, a.rows(), [&] {
            static_options o;
            o.at = at_device;
            return static_factors<F>::make(a.view(), o);
        });
}

/// The same matrix but for the diagonal of some rows.
csr_matrix<dd_real> with_diagonal(const csr_matrix<dd_real>& a, const std::vector<index_t>& rows,
                                  double value)
{
    ddla::coordinates<dd_real> b{.rows = a.rows(), .columns = a.rows()};
    const auto view = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t e = view.row_begin[i]; e < view.row_begin[i + 1]; ++e) {
            const bool changed =
                view.column[e] == i && std::find(rows.begin(), rows.end(), i) != rows.end();
            b.add(i, view.column[e], changed ? dd_real(value) : view.value.get(e));
        }
    return csr_matrix<dd_real>(b);
}
csr_matrix<dd_real> of_ones(index_t n)
{
    ddla::coordinates<dd_real> a{.rows = n, .columns = n};
    for (index_t k = 0; k < n * n; ++k) a.add(k / n, k % n, dd_real(1));
    return csr_matrix<dd_real>(a);
}

/// A grid whose diagonal is small, so that rows are exchanged.
csr_matrix<dd_real> without_large_diagonal(const ddla::test::edges& e, std::uint64_t seed)
{
    ddla::coordinates<dd_real> a{.rows = static_cast<index_t>(e.rows.size()),
                                 .columns = static_cast<index_t>(e.rows.size())};
    test::random_numbers random(seed);
    for (index_t i = 0; i < a.rows; ++i)
        for (const column_t j : e.rows[as_size(i)]) {
            dd_real v;
            random.make(v, 2);
            a.add(i, j, i == j ? v * 0x1p-6 : v);
        }
    return csr_matrix<dd_real>(a);
}

}  // namespace

TEST_CASE("L L^T at the device has the bits of the host", "[device][factors]")
{
    std::uint64_t seed = 1;
    for (const auto& e : many_graphs()) {
        const auto a = test::definite_on(e, seed++);
        CAPTURE(a.rows());
        compare_definite<double>(a);
        compare_definite<dd_real>(a);
    }
    // Pivots that are not positive: the first one counts, on whatever level of the tree.
    const auto a = test::definite_on(ddla::test::grid(13, 12, 9), 3);
    for (const auto& bad : std::vector<std::vector<index_t>>{
             {0}, {77}, {700}, {0, 700, 1403}, {5, 400, 600, 601, 900}, {350, 1100}}) {
        const auto b = with_diagonal(a, bad, 0x1p-20);
        CHECK(definite_factors<double>::make(b.view(), {}).about().end == factor_end::not_definite);
        compare_definite<double>(b);
        compare_definite<dd_real>(b);
    }
}

TEST_CASE("L D L^T at the device has the bits of the host", "[device][factors]")
{
    std::uint64_t seed = 1;
    for (const auto& e : many_graphs()) {
        const auto a = test::symmetric_on(e, seed++);
        CAPTURE(a.rows());
        compare_symmetric<double>(a);
        compare_symmetric<dd_real>(a);
    }
    const auto ones = of_ones(40);
    CHECK(symmetric_factors<double>::make(ones.view(), {}).about().replaced == 39);
    compare_symmetric<double>(ones);
    compare_symmetric<dd_real>(ones);
}

TEST_CASE("L U at the device has the bits of the host", "[device][factors]")
{
    std::uint64_t seed = 1;
    for (const auto& e : many_graphs()) {
        const auto a = without_large_diagonal(e, seed++);
        CAPTURE(a.rows());
        compare_lu<double>(a);
        compare_lu<dd_real>(a);
    }
    const auto ones = of_ones(40);
    CHECK(static_factors<double>::make(ones.view(), {}).about().replaced == 39);
    compare_lu<double>(ones);
    compare_lu<dd_real>(ones);
}

TEST_CASE("factors of small matrices at the device", "[device][factors]")
{
    for (const auto& e : {ddla::test::grid(9, 8, 1), ddla::test::complete(140)}) {
        const auto definite = test::definite_on(e, 1);
        compare_definite<double>(definite);
        compare_definite<dd_real>(definite);
        const auto a = test::symmetric_on(e, 1);
        const auto make = [&](const place_of_factors& at) {
            symmetric_options o;
            o.at = at;
            return symmetric_factors<double>::make(a.view(), o);
        };
        compare_solves(make({}), a.rows(), [&] { return make(at_device); });
    }
    const auto a = without_large_diagonal(ddla::test::grid(7, 6, 3), 1);
    const auto make = [&](const place_of_factors& at) {
        static_options o;
        o.at = at;
        return static_factors<dd_real>::make(a.view(), o);
    };
    compare_solves(make({}), a.rows(), [&] { return make(at_device); });
}

/// All of a full part, and some more that touch all of it but not each other: narrow panels with
/// many rows below, and wide ones with more than a block holds at a time.
csr_matrix<dd_real> with_long_columns(index_t full)
{
    const index_t n = full + 5;
    ddla::coordinates<dd_real> a{.rows = n, .columns = n};
    test::random_numbers random(3);
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j <= (i < full ? i : full); ++j) {
            const index_t column = j == full ? i : j;
            dd_real v;
            random.make(v, 2);
            a.add(i, column, column == i ? dd_real(n) : v);
            if (column != i) a.add(column, i, v);
        }
    return csr_matrix<dd_real>(a);
}

TEST_CASE("solves with long columns at the device have the bits of the host", "[device][factors]")
{
    const auto check = [](const auto& make) {
        const auto here = make(place_of_factors{});
        const index_t n = here.about().n;
        REQUIRE(here.about().end == factor_end::complete);
        compare_solves(here, n, [&] { return make(at_device); });
    };
    const auto a = with_long_columns(2200), b = with_long_columns(1200);
    check([&](const place_of_factors& at) {
        return definite_factors<double>::make(a.view(), {.at = at});
    });
    check([&](const place_of_factors& at) {
        return definite_factors<dd_real>::make(b.view(), {.at = at});
    });
}

TEST_CASE("factors that overflow at the device end as on the host", "[device][factors]")
{
    ddla::coordinates<double> a{.rows = 60, .columns = 60};
    for (index_t i = 0; i < 60; ++i) {
        a.add(i, i, 1e-300);
        if (i + 1 < 60) a.add(i, i + 1, 1e300), a.add(i + 1, i, 1e300);
        if (i + 9 < 60) a.add(i, i + 9, 1e290), a.add(i + 9, i, 1e290);
    }
    const csr_matrix<double> m(a);
    static_options lu;
    lu.common.scale = false;
    symmetric_options symmetric;
    symmetric.scale = symmetric.pair = false;
    const auto here = static_factors<double>::make(m.view(), lu);
    const auto ldlt_here = symmetric_factors<double>::make(m.view(), symmetric);
    lu.at = symmetric.at = at_device;
    CHECK(here.about().end == factor_end::not_finite);
    CHECK(static_factors<double>::make(m.view(), lu).about().end == here.about().end);
    CHECK(symmetric_factors<double>::make(m.view(), symmetric).about().end ==
          ldlt_here.about().end);
}

TEST_CASE("a solve with A at the device makes its factors there", "[device][factors]")
{
    const auto a = ddla::generate::convection_diffusion(24, 24, 24);
    const auto b = test::random_vector<dd_real>(a.rows(), 7);
    vector<dd_real> x(a.rows()), y(a.rows(), gpu), z(a.rows());
    const auto here = ddla::solve(a, b, x);
    const auto there = ddla::solve(a.to(gpu), b.to(gpu), y);
    CHECK(test::same_bits(y.to(ddla::host), x));
    CHECK(there.digits == here.digits);
    const auto is_at_device = [](const ddla::solve_report& r) {
        return std::any_of(r.plan.begin(), r.plan.end(), [](const ddla::solve_stage& s) {
            return s.name.find("at the device") != std::string::npos;
        });
    };
    CHECK(is_at_device(there));
    CHECK(!is_at_device(here));

    // Where A is at the host, the caller says where.
    double work = 0;
    const auto asked = ddla::solve(a, b, z, {.place_of_factors = [&](double w) {
                                       work = w;
                                       return gpu;
                                   }});
    CHECK(is_at_device(asked));
    CHECK(work >= 3e8);
    CHECK(test::same_bits(z, x));

    // As objects.
    const ddla::lu_factors<double> f(a), g(a.to(gpu));
    vector<double> u(a.rows()), v(a.rows());
    f.solve(test::random_vector<double>(a.rows(), 8), u);
    g.solve(test::random_vector<double>(a.rows(), 8), v);
    CHECK(test::same_bits(u, v));
}

TEST_CASE("factors at the device can be interrupted", "[device][factors]")
{
    const auto a = ddla::generate::convection_diffusion(44, 44, 44);
    static_options o;
    int asked = 0;
    o.at = [&asked](double) {
        ++asked;
        return ddla::device_engine(0).factors();
    };
    o.common.watch = [](index_t columns_done, index_t, std::int64_t, double) {
        return columns_done == 0;
    };
    const auto f = static_factors<dd_real>::make(a.view(), o);
    CHECK(f.about().end == factor_end::stopped);
    CHECK(asked == 1);
    CHECK(f.about().done > 0);
    CHECK(f.about().done < f.about().operations / 2);
}
