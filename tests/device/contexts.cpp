// A context of the driver that the caller has made is current: ddla works beside it, leaves it
// current, and keeps nothing in it.  A program of its own, for ddla sets a device up once.
#include "catch.hpp"
#include "support/random.hpp"
#include "support/run_tests.hpp"
#include "support/same_bits.hpp"

#include "ddla/devices.hpp"
#include "ddla/generate.hpp"
#include "ddla/stream.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <stdexcept>
#include <string>

using ddla::dd_real;
using ddla::vector;
using test::same_bits;

namespace {

constexpr ddla::place gpu = ddla::device(0);

/// A function of the driver, which is not linked.
template <class F>
F* of_driver(const char* name)
{
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    void* const found = library ? dlsym(library, name) : nullptr;
    if (!found) throw std::runtime_error(std::string("the driver has no ") + name);
    return reinterpret_cast<F*>(found);
}
void require(CUresult status)
{
    if (status != CUDA_SUCCESS) throw std::runtime_error("driver: " + std::to_string(status));
}

/// One for device 0, current on this thread as long as it lives.
class callers_context {
public:
    callers_context()
    {
        require(of_driver<CUresult(unsigned)>("cuInit")(0));
        using create = CUresult(CUcontext*, unsigned, CUdevice);
        require(of_driver<create>("cuCtxCreate_v2")(&context_, 0, 0));
    }
    ~callers_context() { of_driver<CUresult(CUcontext)>("cuCtxDestroy_v2")(context_); }
    callers_context(const callers_context&) = delete;
    callers_context& operator=(const callers_context&) = delete;

    bool is_current() const
    {
        CUcontext now = nullptr;
        require(of_driver<CUresult(CUcontext*)>("cuCtxGetCurrent")(&now));
        return now == context_;
    }

private:
    CUcontext context_ = nullptr;
};

/// The same work as on the host: sums, a solve in one kernel, one in many, a stream of its own.
void check_work(const vector<dd_real>& x, const vector<dd_real>& there)
{
    CHECK(same_bits(ddla::dot(there, there), ddla::dot(x, x)));
    for (const ddla::index_t side : {10, 60}) {
        const auto a = ddla::generate::poisson3d(side, side, side);
        const auto da = a.to(gpu);
        const vector<dd_real> b(a.rows(), 1.0), db = b.to(gpu);
        vector<dd_real> here(a.rows()), solution = here.to(gpu);
        const ddla::solve_options options{
            .method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 20};
        ddla::solve(a, b, here, options);
        ddla::solve(da, db, solution, options);
        CHECK(same_bits(solution, here));
    }
    ddla::stream on(gpu);
    CHECK(same_bits(ddla::nrm2(on, there.view()), ddla::nrm2(x)));
}

}  // namespace

int main(int argc, char** argv)
{
    int count = 0;
    const bool none = cudaGetDeviceCount(&count) != cudaSuccess || count == 0;
    return test::run_tests(none ? "no CUDA device" : nullptr, argc, argv);
}

TEST_CASE("a context of the caller's is current", "[device]")
{
    const auto x = test::random_vector<dd_real>(100'000, 1);
    vector<dd_real> there;
    {
        const callers_context mine;
        there = x.to(gpu);
        check_work(x, there);
        CHECK(mine.is_current());
        CHECK_THROWS_AS(ddla::dot(there, x), ddla::input_error);
        CHECK(ddla::state_of_device(0).usable());
        CHECK(mine.is_current());
    }
    // It is gone, and nothing of ddla's with it.
    check_work(x, there);
    {
        const callers_context another;
        check_work(x, there);
        there = vector<dd_real>();  // memory is given back there, too
        CHECK(another.is_current());
    }
    CHECK(same_bits(ddla::nrm2(x.to(gpu)), ddla::nrm2(x)));
}
