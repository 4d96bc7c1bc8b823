// The vector operations of a device engine.
#include "engine/vector_operations.hpp"

#include "context.cuh"
#include "operations.hpp"

namespace ddla::device_backend {

template <scalar T>
std::unique_ptr<vector_operations<T>> vectors_on_device(int index)
{
    return std::make_unique<vector_operations_on<context, T>>(context{index});
}

template std::unique_ptr<vector_operations<double>> vectors_on_device(int);
template std::unique_ptr<vector_operations<dd_real>> vectors_on_device(int);

}  // namespace ddla::device_backend
