#include "scenarios.hpp"

#include "calls.hpp"
#include "device/under_schedule.hpp"
#include "support/random.hpp"

#include "ddla/buffer.hpp"
#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"
#include "ddla/stream.hpp"
#include "ddla/tune.hpp"

#include <cstring>

namespace test {

namespace {

using ddla::dd_real;
using ddla::index_t;
using ddla::place;
using ddla::sparse_format;
using ddla::vector;

/// Several hashes as one.
class joined {
public:
    joined& operator<<(std::uint64_t next)
    {
        hash_ = (hash_ ^ next) * 0x100000001b3u;
        return *this;
    }
    template <class T>
    joined& operator<<(const vector<T>& x)
    {
        return *this << ddla::hash_of(x.where().is_host() ? x : x.to(ddla::host));
    }
    template <class T>
    joined& number(T x)
    {
        return *this << vector<T>(1, x);
    }
    std::uint64_t hash() const { return hash_; }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// A stream of CUDA as a caller has it.
class native_stream {
public:
    explicit native_stream(place at) : on_device_(!at.is_host())
    {
        const calls::not_counted of_the_test;
        if (!on_device_) return;
        int before = 0;
        cudaGetDevice(&before);
        cudaSetDevice(at.device_index);
        cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
        cudaSetDevice(before);
    }
    /// Waits, for what was enqueued before a failure still uses the caller's data.
    ~native_stream()
    {
        const calls::not_counted of_the_test;
        if (on_device_) cudaStreamSynchronize(stream_), cudaStreamDestroy(stream_);
    }
    native_stream(const native_stream&) = delete;
    native_stream& operator=(const native_stream&) = delete;
    cudaStream_t get() const { return stream_; }

private:
    bool on_device_;
    cudaStream_t stream_ = nullptr;
};

/// Six tiles; values repeat, and rows are of few kinds.
const ddla::csr_matrix<double>& grid()
{
    static const auto a = ddla::generate::convection_diffusion(12, 11, 10);
    return a;
}

/// The same for CG.
const ddla::csr_matrix<double>& symmetric_grid()
{
    static const auto a = ddla::generate::poisson3d(12, 11, 10);
    return a;
}

/// Rows of all lengths, a few longer than a tile.
template <class V>
const ddla::csr_matrix<V>& uneven()
{
    static const auto a =
        random_matrix<V>(1500, 1500, 3, [](index_t i) { return i % 100 == 7 ? 300 : 2 + i % 13; });
    return a;
}

template <class T>
void use_vectors(place at, joined& results)
{
    const auto x = random_vector<T>(3000, 1, 0).to(at);
    auto y = random_vector<T>(3000, 2, 0).to(at), z = y;
    ddla::axpy(T(1) / 3, x, y);
    ddla::xpay(x, T(-2), y);
    ddla::axpyz(T(1) / 7, x, y, z);
    ddla::scal(ddla::nrm2(x), z);
    vector<T> w(3000, T(1), at);
    ddla::copy(z, w);
    results.number(ddla::dot(x, y)).number(ddla::asum(z)) << w;
}

void use_pairs(place at, joined& results)
{
    const auto x = random_vector<dd_real>(600, 3, 0).to(at);
    const ddla::buffer memory(600 * sizeof(ddla::dd_pair), at);
    const std::span pairs(static_cast<ddla::dd_pair*>(memory.data()), 600);
    ddla::interleave(x, pairs);
    vector<dd_real> y(600, at);
    ddla::split(pairs, y);
    results << y;
}

/// Each call uses the result that the last one left at the place.
template <class T>
std::uint64_t use_stream(place at)
{
    const auto x = random_vector<T>(1320, 4, 0).to(at);
    auto y = random_vector<T>(1320, 5, 0).to(at);
    vector<T> z(1320, at);
    const auto a = grid().to(at);
    ddla::buffer scalars(3 * sizeof(T), at);
    T* const scalar = static_cast<T*>(scalars.data());
    joined results;
    {
        const native_stream native(at);
        ddla::stream on(at, native.get());
        ddla::dot(on, x.view(), std::as_const(y).view(), scalar);
        ddla::axpy(on, scalar, x.view(), y.view());
        ddla::nrm2(on, std::as_const(y).view(), scalar + 1);
        ddla::scal(on, scalar + 1, y.view());
        ddla::spmv(on, T(1), a.view(), std::as_const(y).view(), T(0), z.view());
        ddla::residual(on, a.view(), x.view(), std::as_const(z).view(), z.view());
        ddla::asum(on, std::as_const(z).view(), scalar + 2);
        results.number(ddla::dot(on, std::as_const(z).view(), x.view()));
        on.wait();
    }
    T here[3];
    ddla::copy_bytes(here, ddla::host, scalar, at, sizeof here);
    return (results.number(here[0]).number(here[1]).number(here[2]) << y << z).hash();
}

template <class T, class V>
void multiply(place at, const ddla::csr_matrix<V>& here, const ddla::format_options& how,
              joined& results)
{
    auto a = here.to(at);
    ddla::set_format<T>(a, how);
    const auto x = random_vector<T>(a.columns(), 6, 0).to(at);
    vector<T> y(a.rows(), at);
    ddla::spmv(T(1), a, x, T(0), y);
    results << y;
}

/// With the transpose, which is made there, and with several vectors at once.
template <class T, class V>
void multiply_in_other_ways(place at, joined& results)
{
    const auto a = uneven<V>().to(at);
    vector<T> y(a.columns(), at);
    ddla::spmv_transposed(T(1), a, random_vector<T>(a.rows(), 7, 0).to(at), T(0), y);
    std::vector<vector<T>> x, z(3, vector<T>(a.rows(), at));
    for (std::uint64_t j = 0; j < z.size(); ++j)
        x.push_back(random_vector<T>(a.columns(), 8 + j, 0).to(at));
    ddla::spmv(T(1), a, x, T(0), z);
    results << y << z[0] << z[1] << z[2];
}

template <class T>
void solve(place at, const ddla::solve_options& options, joined& results)
{
    const auto a = (options.method == ddla::method::cg ? symmetric_grid() : grid()).to(at);
    const vector<T> b(a.rows(), T(1), at);
    vector<T> x(a.rows(), at);
    {
        const native_stream native(at);
        ddla::stream on(at, native.get());
        results << ddla::solve(on, a.view(), b.view(), x.view(), options).solution_hash;
    }
    results << x;
}

struct named_schedule {
    const char* name;
    ddla::device_backend::schedule how;
    std::int64_t (*kernels)();
};

/// Twelve iterations, of which a graph holds four.
const std::vector<named_schedule>& every_schedule()
{
    using namespace ddla::device_backend;
    static const std::vector<named_schedule> all{
        {"one kernel", {}, resident_kernels},
        {"sweep sequences",
         {.iterations_per_graph = 4, .resident_tiles = -1, .sequence_tiles = INT64_MAX},
         sweep_sequence_kernels},
        {"a kernel a step",
         {.iterations_per_graph = 4, .resident_tiles = -1, .sequence_tiles = -1},
         nullptr},
        {"no graph, no early launch",
         {.iterations_per_graph = 1,
          .resident_tiles = -1,
          .sequence_tiles = INT64_MAX,
          .early_launch = -1},
         sweep_sequence_kernels}};
    return all;
}

}  // namespace

scenario vectors()
{
    return {"vectors", [](place at) {
                joined results;
                use_vectors<double>(at, results);
                use_vectors<dd_real>(at, results);
                use_pairs(at, results);
                return results.hash();
            }};
}

std::vector<scenario> streams()
{
    return {{"stream, double", use_stream<double>}, {"stream, double-double", use_stream<dd_real>}};
}

std::vector<scenario> conversions()
{
    std::vector<scenario> all;
    std::vector<ddla::format_options> wanted;
    for (const sparse_format f : ddla::all_sparse_formats())
        wanted.push_back({.format = f, .threads_per_row = f == sparse_format::crs_t ? 4 : 0});
    wanted.push_back({.format = sparse_format::automatic});  // last: it may take any of them
    for (const ddla::format_options& how : wanted) {
        const auto run = [how](place at) {
            joined results;
            multiply<dd_real>(at, grid(), how, results);
            if (how.format != sparse_format::patterns) {
                multiply<double>(at, uneven<double>(), how, results);
                multiply<dd_real>(at, uneven<dd_real>(), how, results);
            }
            return results.hash();
        };
        all.push_back({"product in " + std::string(to_string(how.format)), run,
                       how.format == sparse_format::automatic});
    }
    const auto in_other_ways = [](place at) {
        joined results;
        multiply_in_other_ways<double, double>(at, results);
        multiply_in_other_ways<dd_real, dd_real>(at, results);
        return results.hash();
    };
    all.push_back({"transposed and several products", in_other_ways});
    return all;
}

std::vector<scenario> solves()
{
    std::vector<scenario> all;
    for (const auto m : {ddla::method::bicgstab, ddla::method::cg})
        for (const named_schedule& s : every_schedule()) {
            const auto run = [m, &s](place at) {
                const under_schedule chosen(s.how);
                joined results;
                ddla::solve_options options{
                    .method = m, .tolerance = 0, .max_iterations = 12, .record_history = true};
                solve<dd_real>(at, options, results);
                options.precond = ddla::preconditioning::jacobi;
                options.max_iterations = 3;
                solve<double>(at, options, results);
                return results.hash();
            };
            all.push_back({std::string(to_string(m)) + ", " + s.name, run, false, s.kernels});
        }
    const auto fgmres = [](place at) {
        joined results;
        solve<dd_real>(
            at,
            {.method = ddla::method::fgmres, .tolerance = 0, .max_iterations = 12, .restart = 5},
            results);
        return results.hash();
    };
    all.push_back({"fgmres", fgmres});
    const auto with_factors = [](place at) {
        joined results;
        solve<dd_real>(at,
                       {.method = ddla::method::fgmres,
                        .precond = ddla::preconditioning::lu,
                        .tolerance = 0,
                        .max_iterations = 4,
                        .restart = 5},
                       results);
        return results.hash();
    };
    all.push_back({"fgmres with factors", with_factors});
    const auto automatic = [](place at) {
        joined results;
        solve<dd_real>(at, {}, results);
        return results.hash();
    };
    all.push_back({"automatic", automatic});
    all.push_back(factors_again());
    all.push_back(factors_made());
    return all;
}

scenario measurements()
{
    const auto run = [](place at) {
        const ddla::measure_options once{.seconds = 0, .repeats = 1};
        ddla::copy_bandwidth_of(std::size_t{1} << 16, at, once);
        auto a = uneven<double>().to(at);
        const auto x = random_vector<dd_real>(a.columns(), 6, 0).to(at);
        vector<dd_real> y(a.rows(), at);
        for (const auto f : {sparse_format::slices, sparse_format::csr})
            ddla::measure_format(a, {.format = f}, x, y, once);
        ddla::spmv(dd_real(1), a, x, dd_real(0), y);
        return (joined() << y).hash();
    };
    return {"measurements", run, true};
}

scenario tuning()
{
    const auto run = [](place at) {
        auto a = uneven<double>().to(at);
        const ddla::tune_options options{.formats = {sparse_format::csr, sparse_format::slices},
                                         .measure = {.seconds = 0, .repeats = 1}};
        ddla::tune<dd_real>(a, options);
        const auto x = random_vector<dd_real>(a.columns(), 6, 0).to(at);
        vector<dd_real> y(a.rows(), at);
        ddla::spmv(dd_real(1), a, x, dd_real(0), y);
        return (joined() << y).hash();
    };
    return {"tune", run, true};
}

scenario without_conversions()
{
    const auto run = [](place at) {
        joined results;
        use_vectors<dd_real>(at, results);
        for (const named_schedule& s : every_schedule()) {
            const under_schedule chosen(s.how);
            solve<dd_real>(at,
                           {.method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 12},
                           results);
        }
        return results.hash();
    };
    return {"first use", run};
}

scenario with_conversions()
{
    const auto run = [](place at) {
        joined results;
        multiply<dd_real>(at, uneven<double>(), {.format = sparse_format::slices}, results);
        multiply<double>(at, uneven<double>(), {.format = sparse_format::evc_hyb}, results);
        multiply<double>(at, grid(), {.format = sparse_format::tiles}, results);
        multiply<dd_real>(at, grid(), {.format = sparse_format::patterns}, results);
        return results.hash();
    };
    return {"first use of conversions", run};
}

}  // namespace test
