// Row sums, compiled for three instruction sets.  Not in the files of the steps that use them,
// because this is the largest loop of the library.
#include "host/simd/isa.hpp"
#include "row_tile.hpp"
#include "rows.hpp"

namespace ddla::host_backend {

template <class T, class V>
void sum_rows(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax)
{
    in_current_isa(
        [&](index_t first, index_t last) { row_tile<T, V>(a, x, first, last, ax).sum(); }, begin,
        end);
}

template void sum_rows(const csr<double>&, vec<const double>, index_t, index_t, lanes<double>&);
template void sum_rows(const csr<double>&, vec<const dd_real>, index_t, index_t, lanes<dd_real>&);
template void sum_rows(const csr<dd_real>&, vec<const dd_real>, index_t, index_t, lanes<dd_real>&);

}  // namespace ddla::host_backend
