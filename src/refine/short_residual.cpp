// Residuals in sums of three or four words, without the rule of summation: nobody's bits depend on
// them.
#include "short_residual.hpp"

#include "engine/host_loops.hpp"
#include "isa/isa.hpp"
#include "steps/cascade.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {
namespace {

using steps::cascade;

/// Rows of more entries have sums of four words, so that short_error() is below 2^-130.
constexpr index_t entries_for_three_words = 16;
constexpr index_t rows_at_once = 4096, entries_ahead = 24;

template <scalar T, scalar V>
bool takes_four_words(const csr<V>& a)
{
    return std::min(a.longest_row, a.columns) > entries_for_three_words;
}

template <int K, scalar T, scalar V>
void rows_of_residual(const csr<V>& a, vec<const T> x, vec<const T> b, index_t first, index_t last,
                      vec<dd_real> r)
{
    const index_t end = a.row_begin[last] - 1;
    for (index_t i = first; i < last; ++i) {
        auto sum = cascade<K>::zero();
        for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
            // Behind so many additions the processor does not reach the loads early enough.
            const column_t next = a.column[std::min(e + entries_ahead, end)];
            for (int j = 0; j < words_of<T>; ++j) __builtin_prefetch(x.word(j) + next);
            for (int j = words_of<T> - 1; j >= 0; --j)
                for (int k = words_of<V> - 1; k >= 0; --k)
                    sum.add_product(-x.word(j)[a.column[e]], a.value.word(k)[e]);
        }
        for (int j = words_of<T> - 1; j >= 0; --j) sum.add(b.word(j)[i]);
        r.set(i, sum.rounded());
    }
}

template <int K, scalar T, scalar V>
void residual_on_threads(const csr<V>& a, vec<const T> x, vec<const T> b, vec<dd_real> r)
{
    const auto part = [&](index_t chunk) {
        const index_t first = chunk * rows_at_once;
        host_backend::in_current_isa(
            [&](index_t i, index_t last) { rows_of_residual<K>(a, x, b, i, last, r); }, first,
            std::min(a.rows, first + rows_at_once));
    };
    run_on_host(
        (a.rows + rows_at_once - 1) / rows_at_once,
        [](const void* f, index_t chunk) { (*static_cast<const decltype(part)*>(f))(chunk); },
        &part);
}

}  // namespace

template <scalar T, scalar V>
void short_residual(const csr<V>& a, vec<const T> x, vec<const T> b, vec<dd_real> r)
{
    if (takes_four_words<T>(a))
        residual_on_threads<4>(a, x, b, r);
    else
        residual_on_threads<3>(a, x, b, r);
}

// Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005), Proposition 4.10: SumK of m terms is off
// by at most about (2 m u)^K times the sum of their magnitudes, besides the rounding of the result.
template <scalar T, scalar V>
double short_error(const csr<V>& a)
{
    const auto entries = static_cast<double>(std::min(a.longest_row, a.columns));
    const double terms = 2 * words_of<T> * words_of<V> * entries + words_of<T>;
    return 2 * std::pow(2 * terms * 0x1p-53, takes_four_words<T>(a) ? 4 : 3);
}

template <scalar T, scalar V>
std::int64_t time_of_short_residual(const csr<V>& a)
{
    const std::int64_t time_of_product = takes_four_words<T>(a) ? 7 : 5;
    return time_of_product * words_of<T> * words_of<V> * a.nonzeros();
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template void short_residual(const csr<V>&, vec<const T>, vec<const T>, vec<dd_real>);         \
    template double short_error<T>(const csr<V>&);                                                 \
    template std::int64_t time_of_short_residual<T>(const csr<V>&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
