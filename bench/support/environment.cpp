#include "environment.hpp"

#include <fstream>

namespace bench {

namespace {

/// Of the kernel module; the runtime only tells the version of CUDA that it supports.
std::string driver()
{
    std::string version;
    std::ifstream file("/sys/module/nvidia/version");
    if (!(file >> version)) version = "unknown";
    return version;
}

/// 13000 as CUDA writes it: 13.0.
std::string cuda_version(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

json environment(const rivals& by)
{
    int driver_api = 0, runtime = 0, blas = 0, sparse = 0;
    check(cudaDriverGetVersion(&driver_api), "cudaDriverGetVersion");
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    check(cublasGetVersion(by.blas(), &blas), "cublasGetVersion");
    check(cusparseGetVersion(by.sparse(), &sparse), "cusparseGetVersion");
    json all = machine();
    all["device"] = record_of_device();
    all["driver"] = driver();
    all["cuda"] = {{"driver", cuda_version(driver_api)},
                   {"runtime", cuda_version(runtime)},
                   {"cublas", blas},
                   {"cusparse", sparse}};
    return all;
}

}  // namespace bench
