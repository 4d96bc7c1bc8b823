// The transpose of a matrix, made where the matrix is.
#include "transpose.hpp"

#include "calls/place_of.hpp"

namespace ddla {

template <scalar V>
csr_matrix<V> transpose(const csr_matrix<V>& a)
{
    return api::engine_at(a.where()).template formats<V>().transposed(a.view());
}

template <scalar V>
std::shared_ptr<const csr_matrix<V>> api::transposed_once(const csr_matrix<V>& a)
{
    return a.kept().get([&] { return transpose(a); });
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template csr_matrix<V> transpose(const csr_matrix<V>&);                                        \
    template std::shared_ptr<const csr_matrix<V>> api::transposed_once(const csr_matrix<V>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
