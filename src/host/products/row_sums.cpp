// Sums of rows, one text for three instruction sets: apart from the steps that use them, because
// this is the largest loop of the library.
#include "host/simd/isa.hpp"
#include "row_tile.hpp"
#include "rows.hpp"
#include "term_tile.hpp"

namespace ddla::host_backend {

namespace {

/// Are the rows from offset[0] on short, and many of them empty or of another length than the one
/// before?  The first 64 tell.
template <class I>
bool lengths_in_no_order(const I* offset, index_t rows)
{
    constexpr index_t sample = 64, longest_mean = 24;
    const index_t n = std::min(rows, sample);
    if (offset[n] - offset[0] > longest_mean * n) return false;
    index_t unlike = 0;
    for (index_t i = 0; i < n; ++i) {
        const I length = offset[i + 1] - offset[i],
                before = i > 0 ? offset[i] - offset[i - 1] : length;
        unlike += length == 0 || length != before;
    }
    return 10 * unlike > n;
}

}  // namespace

template <class T, class V>
void sum_rows(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax)
{
    if constexpr (words_of<T> == 1) {
        const auto in_terms = [&](const auto* offset) {
            const bool yes = lengths_in_no_order(offset + begin, end - begin);
            if (yes) term_tile(a, x, ax).sum(begin, offset + begin, static_cast<int>(end - begin));
            return yes;
        };
        if (a.row_begin.is_wide() ? in_terms(a.row_begin.wide()) : in_terms(a.row_begin.narrow()))
            return;
    }
    in_current_isa(
        [&](index_t first, index_t last) { row_tile<T, V>(a, x, first, last, ax).sum(); }, begin,
        end);
}

template void sum_rows(const csr<double>&, vec<const double>, index_t, index_t, lanes<double>&);
template void sum_rows(const csr<double>&, vec<const dd_real>, index_t, index_t, lanes<dd_real>&);
template void sum_rows(const csr<dd_real>&, vec<const dd_real>, index_t, index_t, lanes<dd_real>&);

}  // namespace ddla::host_backend
