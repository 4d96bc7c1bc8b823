#include "graph.hpp"

#include <utility>

namespace ddla::device_backend {

graph::~graph()
{
    forget();
}

bool graph::replay(cudaStream_t stream)
{
    const bool done = has_room(cudaGraphLaunch(ready_, stream), "cudaGraphLaunch");
    if (!done) forget();
    return done;
}

bool graph::finish(cudaStream_t stream)
{
    cudaGraph_t recorded = nullptr;
    check(cudaStreamEndCapture(stream, &recorded), "cudaStreamEndCapture");
    const cudaError_t status = cudaGraphInstantiate(&ready_, recorded, 0);
    forget_error(cudaGraphDestroy(recorded));
    return has_room(status, "cudaGraphInstantiate");
}

void graph::forget() noexcept
{
    if (ready_) forget_error(cudaGraphExecDestroy(std::exchange(ready_, nullptr)));
}

}  // namespace ddla::device_backend
