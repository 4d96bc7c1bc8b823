// Systems for LU with static pivots, and what the serial program makes of them.
#pragma once

#include "catch.hpp"
#include "graphs.hpp"
#include "serial_supernodes.hpp"

#include "support/random.hpp"
#include "support/shapes.hpp"

#include "engine/host_loops.hpp"
#include "factor/supernodal/static_factors.hpp"

namespace test {

using ddla::csr_matrix;
using ddla::index_t;
using namespace ddla::factor;
using dd = ddla::dd_real;

inline static_options on_threads()
{
    static_options o;
    o.common.run = {ddla::host_threads(), ddla::run_on_host, 1};  // small loops are shared, too
    return o;
}

/// Values of all 32 digits on the pattern of a graph; one entry in eight off the diagonal is left
/// out, and one diagonal entry in four is small.
inline csr_matrix<dd> unsymmetric_on(const ddla::test::edges& e, std::uint64_t seed)
{
    test::random_numbers random(seed);
    const auto n = static_cast<index_t>(e.rows.size());
    std::vector<index_t> begin = {0};
    std::vector<ddla::column_t> column;
    std::vector<dd> value;
    for (index_t i = 0; i < n; ++i) {
        for (const ddla::column_t j : e.rows[as_size(i)]) {
            dd v;
            random.make(v, 2);
            if (i != j && (i * 31 + j * 17) % 8 == 3) continue;
            column.push_back(j);
            value.push_back(i == j && i % 4 == 1 ? v * 0x1p-12 : v);
        }
        begin.push_back(static_cast<index_t>(column.size()));
    }
    ddla::vector<dd> values(static_cast<index_t>(value.size()));
    for (std::size_t k = 0; k < value.size(); ++k) values.set(static_cast<index_t>(k), value[k]);
    return {n, n, begin, column, std::move(values)};
}

/// R A C in the order of elimination, rows before any exchange, in the numbers of the factors.
template <class F>
oracle::dense<oracle::type<F>> factored_matrix(const csr_matrix<dd>& a, const static_factors<F>& f)
{
    using Q = oracle::type<F>;
    const std::size_t n = as_size(a.rows());
    std::vector<std::size_t> row(n), column(n);
    for (std::size_t k = 0; k < n; ++k) {
        row[as_size(f.row_of()[k])] = as_size(f.places()[k]);
        column[as_size(f.column_of()[k])] = k;
    }
    oracle::dense<Q> q(n, std::vector<Q>(n, Q(0.0)));
    const auto rows = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e) {
            const auto j = as_size(rows.column[e]);
            q[row[as_size(i)]][column[j]] =
                oracle::scaled(oracle::to(rounded<F>(rows.value.get(e))),
                               f.scaling().row[as_size(i)] + f.scaling().column[j]);
        }
    return q;
}

template <class F>
oracle::static_factors<oracle::type<F>> serial(const csr_matrix<dd>& a, const static_factors<F>& f)
{
    const auto matrix = factored_matrix(a, f);
    return oracle::factorise_static(f.parts(), matrix, rule_for(matrix));
}

struct found_pivots {
    int exchanged = 0, replaced = 0;
};

template <class F>
found_pivots check_bits(const csr_matrix<dd>& a, const static_factors<F>& f)
{
    REQUIRE(f.about().end == factor_end::complete);
    const auto truth = serial(a, f);
    CHECK(f.places() == truth.place);
    CHECK(f.about().replaced == truth.replaced);
    int differ = 0;
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t j = 0; j < a.rows(); ++j)
            differ +=
                !(oracle::to(f.entry(i, j)) == (i > j ? truth.l : truth.u)[as_size(i)][as_size(j)]);
    CHECK(differ == 0);
    found_pivots found{0, truth.replaced};
    for (std::size_t k = 0; k < truth.place.size(); ++k)
        found.exchanged += truth.place[k] != int(k);
    return found;
}

template <class F>
found_pivots check_bits(const csr_matrix<dd>& a)
{
    return check_bits(a, static_factors<F>::make(a.view(), on_threads()));
}

/// A full matrix of more than one panel; two rows of the first are equal in its columns, but for
/// `difference` in one, so that it has one pivot less than columns.  A itself is not singular.
inline csr_matrix<dd> with_dependent_rows(index_t n, std::uint64_t seed, double difference = 0)
{
    auto a = unsymmetric_on(ddla::test::complete(n), seed);
    const auto f = static_factors<double>::make(a.view(), {});
    const auto& order = f.parts().order;
    const std::vector<ddla::column_t> of_panel(order.begin(), order.begin() + f.parts().first[1]);
    auto rows = test::rows_of(a);
    for (const auto j : of_panel)
        rows[as_size(of_panel[3])][as_size(j)] = rows[as_size(of_panel[1])][as_size(j)];
    auto& last = rows[as_size(of_panel[3])][as_size(of_panel.back())];
    last = last + dd(difference);
    return test::matrix_in(rows);
}

}  // namespace test
