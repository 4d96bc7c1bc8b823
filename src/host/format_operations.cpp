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

template format_operations<double>& formats_on_host();
template format_operations<dd_real>& formats_on_host();

}  // namespace ddla::host_backend
