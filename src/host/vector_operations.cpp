// The vector operations of the host engine.
#include "engine/vector_operations.hpp"

#include "context.hpp"
#include "operations.hpp"

namespace ddla::host_backend {

template <scalar T>
vector_operations<T>& vectors_on_host()
{
    static vector_operations_on<context, T> only{{}};
    return only;
}

pair_operations& pairs_on_host()
{
    static pair_operations_on<context> only{{}};
    return only;
}

#define DDLA_INSTANTIATE(T) template vector_operations<T>& vectors_on_host();
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::host_backend
