// evaluate() on a device, for many operands.
#include "arithmetic.hpp"
#include "evaluate.hpp"

#include <memory>
#include <stdexcept>
#include <string>

namespace ddla::test {
namespace {

void check(cudaError_t status, const char* what)
{
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

struct free_on_device {
    void operator()(dd_real* p) const { cudaFree(p); }
};
using device_array = std::unique_ptr<dd_real, free_on_device>;

device_array allocate(std::size_t n)
{
    void* p = nullptr;
    check(cudaMalloc(&p, n * sizeof(dd_real)), "cudaMalloc");
    return device_array(static_cast<dd_real*>(p));
}

device_array copy_of(const std::vector<dd_real>& x)
{
    device_array copy = allocate(x.size());
    check(cudaMemcpy(copy.get(), x.data(), x.size() * sizeof(dd_real), cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
    return copy;
}

__global__ void evaluate_all(int operation, const dd_real* x, const dd_real* y, dd_real* z,
                             std::size_t n)
{
    const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
    if (i < n) z[i] = evaluate(operation, x[i], y[i]);
}

}  // namespace

int device_count()
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::vector<dd_real> evaluate_on_device(int operation, const std::vector<dd_real>& x,
                                        const std::vector<dd_real>& y)
{
    const std::size_t n = x.size();
    const device_array dx = copy_of(x), dy = copy_of(y), dz = allocate(n);
    constexpr unsigned block = 256;
    evaluate_all<<<static_cast<unsigned>((n + block - 1) / block), block>>>(operation, dx.get(),
                                                                            dy.get(), dz.get(), n);
    check(cudaGetLastError(), "launch");
    std::vector<dd_real> z(n);
    check(cudaMemcpy(z.data(), dz.get(), n * sizeof(dd_real), cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    return z;
}

}  // namespace ddla::test
