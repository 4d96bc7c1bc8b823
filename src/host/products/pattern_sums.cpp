// Row sums of the patterns format, compiled for three instruction sets; in a file of its own for
// the reason in row_sums.cpp.
#include "host/simd/isa.hpp"
#include "pattern_tile.hpp"
#include "rows.hpp"

namespace ddla::host_backend {

template <class T, class V>
void sum_patterns(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax)
{
    const auto with = [&](auto beside) {
        in_current_isa(
            [&](index_t first, index_t last) {
                pattern_tile<T, V, beside>(a, x, first, last, ax).sum();
            },
            begin, end);
    };
    if (a.storage->patterns.has_values())
        with(std::false_type{});
    else
        with(std::true_type{});
}

template void sum_patterns(const csr<double>&, vec<const double>, index_t, index_t, lanes<double>&);
template void sum_patterns(const csr<double>&, vec<const dd_real>, index_t, index_t,
                           lanes<dd_real>&);
template void sum_patterns(const csr<dd_real>&, vec<const dd_real>, index_t, index_t,
                           lanes<dd_real>&);

}  // namespace ddla::host_backend
