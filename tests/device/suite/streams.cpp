// The device as a site of the cases of streams, the order of a stream, and memory of other kinds.
#include "cuda_streams.hpp"
#include "support/random.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"
#include "ddla/memory_place.hpp"

#include <chrono>
#include <thread>

using ddla::dd_real;
using ddla::index_t;
using test::device_site;
using test::gate;
using test::numbers;
using test::require_cuda;
using test::same_bits;
using test::spot;

std::vector<std::unique_ptr<test::site>> test::every_site()
{
    std::vector<std::unique_ptr<site>> all;
    all.push_back(std::make_unique<device_site>("a non-blocking stream"));
    all.push_back(std::make_unique<device_site>("a blocking stream", cudaStreamDefault));
    all.push_back(std::make_unique<device_site>("the default stream", nullptr));
    return all;
}

namespace {

/// A chain of dependent calls, each reading what the last one left.
template <class T>
struct chain {
    chain(device_site& at, const ddla::vector<T>& x_values, const ddla::vector<T>& y_values)
        : x(at, x_values), y(at, y_values), sum(at), norm(at), size(at)
    {
    }
    void enqueue(ddla::stream& on) const
    {
        ddla::dot(on, x.constant(), y.constant(), sum.at());
        ddla::axpy(on, sum.at(), x.constant(), y.view());
        ddla::nrm2(on, y.constant(), norm.at());
        ddla::scal(on, norm.at(), y.view());
        ddla::asum(on, y.constant(), size.at());
    }
    /// With the data as they were put, the results of the host.
    void check(const ddla::vector<T>& first, const ddla::vector<T>& second) const
    {
        auto z = second;
        ddla::axpy(ddla::dot(first, second), first, z);
        CHECK(same_bits(sum.value(), ddla::dot(first, second)));
        CHECK(same_bits(norm.value(), ddla::nrm2(z)));
        ddla::scal(ddla::nrm2(z), z);
        CHECK(same_bits(y.values(), z));
        CHECK(same_bits(size.value(), ddla::asum(z)));
    }

    numbers<T> x, y;
    spot<T> sum, norm, size;
};

}  // namespace

TEMPLATE_TEST_CASE("calls return before their work is done", "[device][streams]", double, dd_real)
{
    for (const auto& some : test::every_site()) {
        auto& at = dynamic_cast<device_site&>(*some);
        INFO(at.name());
        for (const index_t n : {1000, 1048577}) {
            const auto x = test::random_vector<TestType>(n, 1, 0);
            const auto y = test::random_vector<TestType>(n, 2, 0);
            const chain<TestType> work(at, x, y);
            work.enqueue(at.on());  // what the first call sets up may wait
            work.y.put(y);
            gate held(at.native());
            work.enqueue(at.on());
            CHECK(cudaStreamQuery(at.native()) == cudaErrorNotReady);
            held.open();
            at.on().wait();
            CHECK(held.in_time());
            CHECK(cudaStreamQuery(at.native()) == cudaSuccess);
            work.check(x, y);
        }
    }
}

TEMPLATE_TEST_CASE("calls that return a value wait for what was before", "[device][streams]",
                   double, dd_real)
{
    device_site at("a non-blocking stream");
    const auto x = test::random_vector<TestType>(5000, 3),
               y = test::random_vector<TestType>(5000, 4);
    const numbers<TestType> x_there(at, x), y_there(at, y);
    ddla::copy(at.on(), x_there.constant(), y_there.view());
    CHECK(same_bits(ddla::dot(at.on(), x_there.view(), y_there.view()), ddla::dot(x, x)));
    y_there.put(y);
    gate held(at.native());
    ddla::copy(at.on(), x_there.constant(), y_there.view());
    std::thread opener([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        held.open();
    });
    const TestType answer = ddla::dot(at.on(), x_there.view(), y_there.view());
    opener.join();
    CHECK(held.in_time());
    CHECK(same_bits(answer, ddla::dot(x, x)));
}

TEST_CASE("two streams do not wait for each other", "[device][streams]")
{
    device_site one("held up"), other("free");
    const auto x = test::random_vector<dd_real>(5000, 5), y = test::random_vector<dd_real>(5000, 6);
    const chain<dd_real> first(one, x, y), second(other, y, x);
    first.enqueue(one.on());
    first.y.put(y);
    second.enqueue(other.on());
    second.y.put(x);
    gate held(one.native());
    first.enqueue(one.on());
    second.enqueue(other.on());
    other.on().wait();
    second.check(y, x);
    CHECK(cudaStreamQuery(one.native()) == cudaErrorNotReady);
    held.open();
    first.check(x, y);
    CHECK(held.in_time());
}

TEST_CASE("an error that the caller's own calls left is neither taken nor taken away",
          "[device][streams]")
{
    device_site at("a non-blocking stream");
    const ddla::vector<double> x{3, 4}, there = x.to(ddla::device(0));
    const numbers<double> its(at, x);
    const auto fail = [] {
        void* data = nullptr;
        REQUIRE(cudaMalloc(&data, std::size_t(1) << 60) == cudaErrorMemoryAllocation);
    };
    fail();
    CHECK(ddla::nrm2(at.on(), its.view()) == 5);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    fail();
    CHECK(ddla::nrm2(there) == 5);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    fail();
    CHECK(same_bits(ddla::vector<double>(there), x));
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    fail();
    CHECK_NOTHROW(at.on().wait());
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
}

TEST_CASE("pinned memory of the host is in reach, too", "[device][streams]")
{
    device_site at("a non-blocking stream");
    const auto x = test::random_vector<double>(1000, 7), b = test::random_vector<double>(1000, 8);
    const auto allocate = [](std::size_t count) {
        void* data = nullptr;
        require_cuda(cudaMallocHost(&data, count * sizeof(double)));
        return static_cast<double*>(data);
    };
    double *const pinned = allocate(1000), *const result = allocate(1);
    std::memcpy(pinned, x.word(0).data(), 1000 * sizeof(double));
    const ddla::vec<double> v(pinned, 1000);
    CHECK(same_bits(ddla::nrm2(at.on(), v), ddla::nrm2(x)));
    ddla::asum(at.on(), v, result);
    at.on().wait();
    CHECK(same_bits(*result, ddla::asum(x)));
    // A solve whose x is there: the report reads it, too.
    const auto a = test::random_matrix<double>(1000, 1000, 9, [](index_t) { return 3; });
    const test::matrix_there<double> there(at, a);
    const numbers<double> b_there(at, b);
    auto y = x;
    const auto expected =
        ddla::solve(a, b, y, {.method = ddla::method::bicgstab, .max_iterations = 3});
    const auto report = ddla::solve(at.on(), there.view(), b_there.view(), v,
                                    {.method = ddla::method::bicgstab, .max_iterations = 3});
    CHECK(report.solution_hash == expected.solution_hash);
    CHECK(std::memcmp(pinned, y.word(0).data(), 1000 * sizeof(double)) == 0);
    cudaFreeHost(result);
    cudaFreeHost(pinned);
}

/// Does the device read all memory of the host?
bool reaches_all_memory()
{
    int reaches_all = 0;
    require_cuda(cudaDeviceGetAttribute(&reaches_all, cudaDevAttrPageableMemoryAccess, 0));
    return reaches_all != 0;
}

TEST_CASE("memory of the host is used where the device reaches it", "[device][streams]")
{
    if (!reaches_all_memory()) SKIP_CASE("the device does not read all memory of the host");
    device_site at("a non-blocking stream");
    const ddla::vector<double> x{1, 2, 3}, y{4, 5, 6};
    const numbers<double> there(at, y);
    CHECK(ddla::dot(at.on(), x.view(), there.constant()) == ddla::dot(x, y));
}

TEST_CASE("memory at another place is refused, naming both", "[device][streams]")
{
    if (reaches_all_memory()) SKIP_CASE("the device reads all memory of the host");
    device_site at("a non-blocking stream");
    const ddla::vector<double> x{1, 2, 3}, y{4, 5, 6};
    const numbers<double> there(at, y);
    auto here = x;
    double result = -5;
    const std::string other = " lives at host, the stream works at device 0";
    CHECK_THROWS_AS(ddla::dot(at.on(), here.view(), there.view()), ddla::input_error);
    CHECK_THROWS_WITH(ddla::dot(at.on(), here.view(), there.view()), "dot: x" + other);
    CHECK_THROWS_WITH(ddla::dot(at.on(), there.view(), here.view()), "dot: y" + other);
    CHECK_THROWS_WITH(ddla::nrm2(at.on(), there.view(), &result), "nrm2: the result" + other);
    CHECK_THROWS_WITH(ddla::axpy(at.on(), &result, there.view(), there.view()), "axpy: a" + other);
    CHECK_THROWS_WITH(ddla::axpy(at.on(), 2, there.view(), here.view()), "axpy: y" + other);
    const ddla::csr_matrix<double> a(3, 3, {0, 1, 2, 3}, {0, 1, 2}, x);
    const numbers<double> b(at, x);
    CHECK_THROWS_WITH(ddla::spmv(at.on(), 1, a.view(), b.view(), 0, there.view()),
                      "spmv: the row offsets of A" + other);
    const auto long_rows = test::random_matrix<double>(3, 3, 7, [](index_t) { return 300; });
    const test::matrix_there<double> long_rows_there(at, long_rows);
    auto mixed = long_rows_there.view();
    mixed.long_rows = long_rows.view().long_rows;
    CHECK_THROWS_WITH(ddla::spmv(at.on(), 1, mixed, b.view(), 0, there.view()),
                      "spmv: the list of long rows of A" + other);
    CHECK(same_bits(here, x));
    CHECK(same_bits(there.values(), y));
    CHECK(result == -5);
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a stream of a device that is not there", "[device][streams]")
{
    CHECK_THROWS_AS(ddla::stream(ddla::device(1000)), ddla::resource_error);
    CHECK_THROWS_WITH(ddla::stream(ddla::device(1000)),
                      Catch::Contains("there is no device 1000: this process sees "));
}

TEST_CASE("the place of memory that others allocated", "[device][streams]")
{
    void *there = nullptr, *pinned = nullptr;
    require_cuda(cudaMalloc(&there, 64));
    require_cuda(cudaMallocHost(&pinned, 64));
    CHECK(ddla::place_of_memory(there) == ddla::device(0));
    CHECK(ddla::place_of_memory(static_cast<char*>(there) + 63) == ddla::device(0));
    CHECK(ddla::place_of_memory(pinned) == ddla::device(0));
    const ddla::vector<double> mine(3, ddla::device(0));
    CHECK(ddla::place_of_memory(mine.word(0).data()) == ddla::device(0));
    const double here = 1;
    CHECK(ddla::place_of_memory(&here) == (reaches_all_memory() ? ddla::device(0) : ddla::host));
    require_cuda(cudaFree(there));
    require_cuda(cudaFreeHost(pinned));
}
