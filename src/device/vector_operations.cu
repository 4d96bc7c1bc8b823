// The vector operations of a device engine.
#include "engine/vector_operations.hpp"

#include "context.cuh"
#include "operations.hpp"

namespace ddla::device_backend {

template <scalar T>
std::unique_ptr<vector_operations<T>> vectors_on_device(queue& in, rank_part of)
{
    return std::make_unique<vector_operations_on<context, T>>(context{&in, of});
}

std::unique_ptr<pair_operations> pairs_on_device(queue& in)
{
    return std::make_unique<pair_operations_on<context>>(context{&in});
}

template std::unique_ptr<vector_operations<double>> vectors_on_device(queue&, rank_part);
template std::unique_ptr<vector_operations<dd_real>> vectors_on_device(queue&, rank_part);

}  // namespace ddla::device_backend
