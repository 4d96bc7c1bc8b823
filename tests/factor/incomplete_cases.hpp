// Matrices for incomplete factors, and their triangles compared.
#pragma once

#include "factor/incomplete/incomplete.hpp"
#include "support/random.hpp"

namespace test {

/// Some entries in a row, those of the diagonal sometimes missing.
template <class V>
ddla::csr_matrix<V> scattered(ddla::index_t n, ddla::index_t per_row, std::uint64_t seed)
{
    auto a = random_matrix<V>(n, n, seed, [&](ddla::index_t i) { return 1 + (i * 7) % per_row; });
    ddla::coordinates<V> c{.rows = n, .columns = n};
    const auto view = a.view();
    for (ddla::index_t i = 0; i < n; ++i) {
        std::vector<bool> taken(ddla::factor::as_size(n), false);
        for (ddla::index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k) {
            if (taken[ddla::factor::as_size(view.column[k])]) continue;
            taken[ddla::factor::as_size(view.column[k])] = true;
            c.add(i, view.column[k], view.value.get(k));
        }
        if (i % 5 != 2 && !taken[ddla::factor::as_size(i)]) c.add(i, i, V(0.75));
    }
    return ddla::csr_matrix<V>(c);
}

template <class F>
bool same_triangle(const ddla::factor::triangle<F>& x, const ddla::factor::triangle<F>& y)
{
    const auto same_list = [](const ddla::factor::number_list<F>& a,
                              const ddla::factor::number_list<F>& b) {
        bool same = a.size() == b.size();
        for (ddla::index_t k = 0; same && k < a.size(); ++k) same = a.get(k) == b.get(k);
        return same;
    };
    return x.off_diagonal.begin == y.off_diagonal.begin &&
           x.off_diagonal.column == y.off_diagonal.column &&
           same_list(x.off_diagonal.value, y.off_diagonal.value) && same_list(x.pivot, y.pivot);
}

}  // namespace test
