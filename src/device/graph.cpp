#include "graph.hpp"

#include <utility>

namespace ddla::device_backend {

graph::~graph()
{
    forget();
}

void graph::finish(cudaStream_t stream)
{
    cudaGraph_t recorded = nullptr;
    check(cudaStreamEndCapture(stream, &recorded), "cudaStreamEndCapture");
    const cudaError_t status = cudaGraphInstantiate(&ready_, recorded, 0);
    forget_error(cudaGraphDestroy(recorded));
    check(status, "cudaGraphInstantiate");
}

void graph::forget() noexcept
{
    if (ready_) forget_error(cudaGraphExecDestroy(std::exchange(ready_, nullptr)));
}

}  // namespace ddla::device_backend
