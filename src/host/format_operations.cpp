// Conversions to other formats, on the host.
#include "engine/format_operations.hpp"

#include "context.hpp"
#include "operations.hpp"

namespace ddla::host_backend {

template <scalar V>
format_operations<V>& formats_on_host()
{
    static format_operations_on<context, V> only{{}};
    return only;
}

#define DDLA_INSTANTIATE(T) template format_operations<T>& formats_on_host();
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::host_backend
