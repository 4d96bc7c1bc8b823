// A kernel that goes wrong.
#include "fault.hpp"

namespace test {

namespace {

__global__ void write_to(int* address)
{
    *address = 1;
}

}  // namespace

void write_to_an_illegal_address()
{
    write_to<<<1, 1>>>(reinterpret_cast<int*>(8));
    cudaDeviceSynchronize();
    cudaGetLastError();
}

}  // namespace test
