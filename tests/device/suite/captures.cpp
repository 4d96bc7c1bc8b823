// Calls that a CUDA graph captures, and calls that refuse to be captured.
#include "cuda_streams.hpp"
#include "everywhere.hpp"
#include "support/kinds_of_rows.hpp"
#include "support/operands.hpp"
#include "support/shapes.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"

#include <utility>
#include <vector>

using ddla::dd_real;
using ddla::index_t;
using test::device_site;
using test::numbers;
using test::require_cuda;
using test::same_bits;
using test::spot;

namespace {

class cuda_graph {
public:
    /// What `enqueue` does on the stream.
    template <class Enqueue>
    cuda_graph(cudaStream_t stream, cudaStreamCaptureMode mode, const Enqueue& enqueue)
    {
        require_cuda(cudaStreamBeginCapture(stream, mode));
        enqueue();
        require_cuda(cudaStreamEndCapture(stream, &graph_));
        require_cuda(cudaGraphInstantiate(&ready_, graph_, 0));
    }
    ~cuda_graph()
    {
        cudaGraphExecDestroy(ready_);
        cudaGraphDestroy(graph_);
    }
    cuda_graph(const cuda_graph&) = delete;
    cuda_graph& operator=(const cuda_graph&) = delete;

    void launch(cudaStream_t stream) const { require_cuda(cudaGraphLaunch(ready_, stream)); }
    std::size_t nodes() const
    {
        std::size_t count = 0;
        require_cuda(cudaGraphGetNodes(graph_, nullptr, &count));
        return count;
    }

    /// No node allocates: such graphs can be neither copied nor made ready twice.
    bool only_kernels() const
    {
        std::size_t count = nodes();
        std::vector<cudaGraphNode_t> all(count);
        require_cuda(cudaGraphGetNodes(graph_, all.data(), &count));
        for (const cudaGraphNode_t node : all) {
            cudaGraphNodeType type{};
            require_cuda(cudaGraphNodeGetType(node, &type));
            if (type != cudaGraphNodeTypeKernel) return false;
        }
        return true;
    }

private:
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t ready_ = nullptr;
};

/// One call of each kind, dependent on each other.
template <class T>
class work {
public:
    work(device_site& at, const ddla::csr_matrix<double>& a)
        : on_(at.on()), host_a_(a), a_(at, a, test::offsets::narrow), x_(at, zeros()),
          y_(at, zeros()), z_(at, zeros()), sum_(at), norm_(at), size_(at)
    {
    }
    void put(const ddla::vector<T>& x, const ddla::vector<T>& y)
    {
        x_.put(x);
        y_.put(y);
    }
    void enqueue()
    {
        ddla::dot(on_, x_.constant(), y_.constant(), sum_.at());
        ddla::axpy(on_, sum_.at(), x_.constant(), y_.view());
        ddla::copy(on_, y_.constant(), z_.view());
        ddla::spmv(on_, sum_.at(), a_.view(), x_.constant(), 0.5, z_.view());
        ddla::nrm2(on_, z_.constant(), norm_.at());
        ddla::residual(on_, a_.view(), x_.constant(), y_.constant(), z_.view());
        ddla::scal(on_, norm_.at(), z_.view());
        ddla::asum(on_, z_.constant(), size_.at());
    }
    /// The results of the host for the same data.
    void check(const ddla::vector<T>& x, ddla::vector<T> y) const
    {
        const T sum = ddla::dot(x, y);
        ddla::axpy(sum, x, y);
        auto z = y;
        ddla::spmv(sum, host_a_, x, T(0.5), z);
        const T norm = ddla::nrm2(z);
        ddla::residual(host_a_, x, y, z);
        ddla::scal(norm, z);
        CHECK(same_bits(sum_.value(), sum));
        CHECK(same_bits(y_.values(), y));
        CHECK(same_bits(norm_.value(), norm));
        CHECK(same_bits(z_.values(), z));
        CHECK(same_bits(size_.value(), ddla::asum(z)));
    }

private:
    ddla::vector<T> zeros() const { return ddla::vector<T>(host_a_.rows()); }

    ddla::stream& on_;
    ddla::csr_matrix<double> host_a_;
    test::matrix_there<double> a_;
    numbers<T> x_, y_, z_;
    spot<T> sum_, norm_, size_;
};

template <class T>
void replay_with_many_data(unsigned flags, cudaStreamCaptureMode mode, index_t n)
{
    device_site at("the stream", flags);
    const auto a = test::random_matrix<double>(n, n, 1, [](index_t i) { return 1 + i % 7; });
    const auto large = test::random_vector<T>(1048577, 2);
    const numbers<T> large_there(at, large);
    const T dot = ddla::dot(large, large), nrm2 = ddla::nrm2(large);
    work<T> w(at, a);
    w.enqueue();
    at.on().wait();
    const cuda_graph captured(at.native(), mode, [&] { w.enqueue(); });
    CHECK(captured.only_kernels());
    std::uint64_t seed = 10;
    for (const test::operand kind :
         {test::operand::ordinary, test::operand::tiny, test::operand::zeros, test::operand::huge,
          test::operand::not_finite, test::operand::ordinary}) {
        INFO(test::name_of(kind));
        const auto x = test::operands<T>(kind, n, ++seed), y = test::operands<T>(kind, n, ++seed);
        w.put(x, y);
        captured.launch(at.native());
        w.check(x, y);
        // Calls in between need more room than the graph.
        CHECK(same_bits(ddla::dot(at.on(), large_there.view(), large_there.view()), dot));
        CHECK(same_bits(ddla::nrm2(at.on(), large_there.view()), nrm2));
        w.put(x, y);
        w.enqueue();
        w.check(x, y);
    }
}

constexpr const char* refusal = "this call waits for the device, which cannot be done while its "
                                "stream is being captured";

}  // namespace

TEMPLATE_TEST_CASE("a captured graph computes the same", "[device][streams]", double, dd_real)
{
    for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                            cudaStreamCaptureModeRelaxed})
        for (const unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking})
            for (const index_t n : {1, 300, 70000}) {
                INFO("mode " << int(mode) << ", n = " << n);
                replay_with_many_data<TestType>(flags, mode, n);
            }
}

TEST_CASE("a graph replayed many times in a row", "[device][streams]")
{
    device_site at("the stream");
    const index_t n = 65537;
    const auto x = test::random_vector<dd_real>(n, 31, 0), y = test::random_vector<dd_real>(n, 32);
    const dd_real half = 0.5;
    const numbers<dd_real> x_there(at, x), y_there(at, y);
    const spot<dd_real> norm(at);
    const auto enqueue = [&] {
        ddla::axpy(at.on(), half, x_there.constant(), y_there.view());
        ddla::nrm2(at.on(), y_there.constant(), norm.at());
    };
    enqueue();
    y_there.put(y);
    const cuda_graph captured(at.native(), cudaStreamCaptureModeGlobal, enqueue);
    CHECK(captured.only_kernels());
    auto expected = y;
    for (int k = 0; k < 50; ++k) {
        captured.launch(at.native());
        ddla::axpy(half, x, expected);
    }
    CHECK(same_bits(norm.value(), ddla::nrm2(expected)));
    CHECK(same_bits(y_there.values(), expected));
}

namespace {

/// A (A x) in each of the formats, at once and from a graph.
template <class T>
void check_in_turn(const ddla::csr_matrix<double>& on_host,
                   const std::vector<ddla::sparse_format>& formats)
{
    device_site at("the stream");
    const index_t n = on_host.rows();
    const auto x = test::random_vector<T>(n, 34, 0);
    ddla::vector<T> ax(n), aax(n);
    ddla::spmv(T(1), on_host, x, T(0), ax);
    ddla::spmv(T(1), on_host, ax, T(0), aax);
    const auto there = x.to(test::gpu);
    for (const auto format : formats) {
        INFO(to_string(format));
        auto a = on_host.to(test::gpu);
        ddla::set_format(a, {.format = format});
        ddla::vector<T> y(n, test::gpu), z(n, test::gpu);
        const auto enqueue = [&] {
            ddla::spmv(at.on(), T(1), a.view(), there.view(), T(0), y.view());
            ddla::spmv(at.on(), T(1), a.view(), std::as_const(y).view(), T(0), z.view());
        };
        enqueue();
        at.on().wait();
        CHECK(same_bits(z, aax));
        const cuda_graph captured(at.native(), cudaStreamCaptureModeGlobal, enqueue);
        CHECK(captured.only_kernels());
        const ddla::vector<T> zeros(n, test::gpu);
        ddla::copy(at.on(), zeros.view(), y.view());
        ddla::copy(at.on(), zeros.view(), z.view());
        captured.launch(at.native());
        captured.launch(at.native());
        at.on().wait();
        CHECK(same_bits(y, ax));
        CHECK(same_bits(z, aax));
    }
}

}  // namespace

// Each needs what the one before has left, and memory that the one before has used.
TEMPLATE_TEST_CASE("products of stored rows, one after the other and in a graph",
                   "[device][streams]", double, dd_real)
{
    const auto any = test::random_matrix<double>(
        3000, 3000, 33, [](index_t i) { return i % 500 == 3 ? 700 : i % 9; });
    check_in_turn<TestType>(any, test::formats_for(any));
    check_in_turn<TestType>(ddla::generate::poisson2d(50, 60), {ddla::sparse_format::patterns});
}

// Rows of several groups of 256 tiles and of a few tiles, 256 entries, and many of two.

TEST_CASE("calls that wait refuse to be captured and spoil nothing", "[device][streams]")
{
    device_site at("the stream");
    ddla::stream& on = at.on();
    const auto x = test::random_vector<double>(1000, 41);
    const numbers<double> x_there(at, x), b_there(at, x);
    const test::matrix_there<double> a(at, test::arrow_matrix(1000));
    const spot<double> sum(at);
    ddla::asum(on, x_there.constant(), sum.at());
    on.wait();
    const cuda_graph captured(at.native(), cudaStreamCaptureModeGlobal, [&] {
        CHECK_THROWS_AS(ddla::dot(on, x_there.view(), x_there.view()), ddla::input_error);
        CHECK_THROWS_WITH(ddla::dot(on, x_there.view(), x_there.view()), Catch::Contains(refusal));
        CHECK_THROWS_WITH(ddla::nrm2(on, x_there.view()), Catch::Contains(refusal));
        CHECK_THROWS_WITH(ddla::asum(on, x_there.view()), Catch::Contains(refusal));
        CHECK_THROWS_WITH(ddla::solve(on, a.view(), b_there.view(), x_there.view()),
                          Catch::Contains(refusal));
        CHECK_THROWS_WITH(on.wait(), Catch::Contains(refusal));
        // Nor does a call that is refused for its operands.
        CHECK_THROWS_AS(ddla::axpy(on, 2, x_there.view(), ddla::vec<double>()), ddla::input_error);
        ddla::asum(on, x_there.constant(), sum.at());
    });
    CHECK(captured.nodes() == 1);
    const auto y = test::random_vector<double>(1000, 42);
    x_there.put(y);
    captured.launch(at.native());
    CHECK(same_bits(sum.value(), ddla::asum(y)));
    CHECK(same_bits(ddla::nrm2(on, x_there.view()), ddla::nrm2(y)));
    CHECK(cudaGetLastError() == cudaSuccess);
}
