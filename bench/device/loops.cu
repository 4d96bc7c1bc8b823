// Bursts of iterations: graphs that the host replays beside one graph whose conditional node
// repeats them on the device.
//
//     bench_loops    microseconds an iteration of four kernels of so many cycles each
#include "device/core/launch.cuh"
#include "support/timing.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace ddla::device_backend;

constexpr int kernels = 4;      // of an iteration
constexpr int iterations = 32;  // of a measurement

__global__ void spin(int cycles)
{
    block_after_wait();
    for (const long long begin = clock64(); clock64() - begin < cycles;) {
    }
}
__global__ void begin_turns(int* left, int turns)
{
    *left = turns;
}
__global__ void decide(cudaGraphConditionalHandle more, int* left)
{
    wait_for_preceding();
    cudaGraphSetConditional(more, --*left > 0);
}

/// Started as ddla starts the kernels of an iteration.
template <class... Parameters, class... Arguments>
void start(cudaStream_t stream, int blocks, int threads, void (*kernel)(Parameters...),
           Arguments... arguments)
{
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how{};
    how.gridDim = static_cast<unsigned>(blocks);
    how.blockDim = static_cast<unsigned>(threads);
    how.stream = stream;
    how.attrs = &early;
    how.numAttrs = 1;
    check(cudaLaunchKernelEx(&how, kernel, Parameters(arguments)...), "cudaLaunchKernelEx");
}
void start_burst(cudaStream_t stream, int burst, int cycles)
{
    for (int k = 0; k < burst * kernels; ++k) start(stream, 132, 256, spin, cycles);
}

cudaGraphExec_t instantiated(cudaGraph_t graph)
{
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate");
    check(cudaGraphDestroy(graph), "cudaGraphDestroy");
    return ready;
}
cudaGraphExec_t plain_graph(cudaStream_t recorder, int burst, int cycles)
{
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(recorder, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    start_burst(recorder, burst, cycles);
    check(cudaStreamEndCapture(recorder, &graph), "cudaStreamEndCapture");
    return instantiated(graph);
}
cudaGraphNode_t add_after(cudaGraph_t graph, const cudaGraphNode_t* before,
                          cudaGraphNodeParams& what)
{
    cudaGraphNode_t node = nullptr;
    const std::size_t count = before ? 1 : 0;
#if CUDART_VERSION >= 13000
    check(cudaGraphAddNode(&node, graph, before, nullptr, count, &what), "cudaGraphAddNode");
#else
    check(cudaGraphAddNode(&node, graph, before, count, &what), "cudaGraphAddNode");
#endif
    return node;
}
cudaGraphExec_t looping_graph(cudaStream_t recorder, int burst, int cycles, int* left)
{
    cudaGraph_t graph = nullptr;
    check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
    int turns = iterations / burst;
    void* arguments[] = {&left, &turns};
    cudaGraphNodeParams begin{};
    begin.type = cudaGraphNodeTypeKernel;
    begin.kernel.func = reinterpret_cast<void*>(begin_turns);
    begin.kernel.gridDim = begin.kernel.blockDim = dim3(1);
    begin.kernel.kernelParams = arguments;
    const cudaGraphNode_t begun = add_after(graph, nullptr, begin);

    cudaGraphNodeParams loop{};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    check(cudaGraphConditionalHandleCreate(&loop.conditional.handle, graph, 1,
                                           cudaGraphCondAssignDefault),
          "cudaGraphConditionalHandleCreate");
    add_after(graph, &begun, loop);
    cudaGraph_t body = loop.conditional.phGraph_out[0];
    check(cudaStreamBeginCaptureToGraph(recorder, body, nullptr, nullptr, 0,
                                        cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCaptureToGraph");
    start_burst(recorder, burst, cycles);
    start(recorder, 1, 1, decide, loop.conditional.handle, left);
    check(cudaStreamEndCapture(recorder, &body), "cudaStreamEndCapture");
    return instantiated(graph);
}

}  // namespace

int main()
try {
    const bench::cuda_stream stream, recorder;
    int* left = nullptr;
    check(cudaMalloc(&left, sizeof *left), "cudaMalloc");
    const auto launch = [&](cudaGraphExec_t graph) {
        check(cudaGraphLaunch(graph, stream), "cudaGraphLaunch");
    };
    std::printf("cycles  burst  replayed  conditional node  a turn costs\n");
    for (const int cycles : {2000, 10000, 40000})
        for (const int burst : {1, 2, 8}) {
            const cudaGraphExec_t plain = plain_graph(recorder, burst, cycles);
            const cudaGraphExec_t loop = looping_graph(recorder, burst, cycles, left);
            const double replayed = bench::microseconds(stream, [&] {
                for (int k = 0; k < iterations; k += burst) launch(plain);
            });
            const double looped = bench::microseconds(stream, [&] { launch(loop); });
            std::printf("%6d %6d %9.2f %17.2f %13.2f\n", cycles, burst, replayed / iterations,
                        looped / iterations, (looped - replayed) * burst / iterations);
            check(cudaGraphExecDestroy(plain), "cudaGraphExecDestroy");
            check(cudaGraphExecDestroy(loop), "cudaGraphExecDestroy");
        }
    check(cudaFree(left), "cudaFree");
} catch (const std::exception& e) {
    std::fprintf(stderr, "bench_loops: %s\n", e.what());
    return EXIT_FAILURE;
}
