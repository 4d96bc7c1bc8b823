// The operations of BiCGStab and its iterations, on one matrix.
#include "paper_bench.hpp"

#include "support/rival_solvers.hpp"

#include "ddla/blas.hpp"
#include "ddla/sparse_format.hpp"

#include <utility>

namespace bench {

using namespace ddla;

namespace {

constexpr double small = 1e-9;  ///< so that y stays as it is over many axpys

template <scalar T>
struct scalar_there {
    buffer memory{sizeof(T), there};

    explicit scalar_there(T value) { copy_bytes(memory.data(), there, &value, host, sizeof value); }
    T* at() const { return static_cast<T*>(memory.data()); }
};

/// One operation each, scalars at the device.
template <scalar T>
json times_of_operations(paper_bench& b, index_t n)
{
    const vector<T> x = random_vector<T>(n, 1), z = random_vector<T>(n, 3);
    vector<T> y = random_vector<T>(n, 2), w(n, there);
    const scalar_there<T> a{T(small)}, result{T(0.0)};
    const scalar_operand<T> factor = std::as_const(a).at();
    json t;
    t["dot"] = b.time([&] { dot(b.on, x.view(), z.view(), result.at()); });
    t["nrm2"] = b.time([&] { nrm2(b.on, x.view(), result.at()); });
    t["axpy"] = b.time([&] { axpy(b.on, factor, x.view(), y.view()); });
    t["axpyz"] = b.time([&] { axpyz(b.on, factor, x.view(), z.view(), w.view()); });
    t["xpay"] = b.time([&] { xpay(b.on, x.view(), factor, y.view()); });
    return t;
}

template <scalar T, scalar V>
double time_of_product(paper_bench& b, const csr_matrix<V>& a)
{
    const vector<T> x = random_vector<T>(a.columns(), 3);
    vector<T> y(a.rows(), there);
    return b.time([&] { spmv(b.on, T(1), a.view(), x.view(), T(0), y.view()); });
}

json times_of_cublas(paper_bench& b, index_t n)
{
    const vector<double> x = random_vector<double>(n, 1);
    vector<double> y = random_vector<double>(n, 2);
    const scalar_there<double> a{small}, result{0.0};
    const double* const from = x.view().word(0);
    double* const to = y.view().word(0);
    b.rivals.scalars_on_device();
    return {{"dot", b.time([&] { b.rivals.dot(n, from, to, result.at()); })},
            {"nrm2", b.time([&] { b.rivals.nrm2(n, from, result.at()); })},
            {"axpy", b.time([&] { b.rivals.axpy(n, a.at(), from, to); })}};
}

csr_matrix<dd_real> with_dd_values(const csr_matrix<double>& a)
{
    const csr<double> v = a.view();
    std::vector<index_t> begin(static_cast<std::size_t>(v.rows) + 1);
    for (index_t i = 0; i <= v.rows; ++i) begin[static_cast<std::size_t>(i)] = v.row_begin[i];
    std::vector<column_t> column(v.column, v.column + a.nonzeros());
    vector<dd_real> value(a.nonzeros());
    const vector<double> low = random_vector<double>(a.nonzeros(), 7, host);
    for (index_t k = 0; k < a.nonzeros(); ++k) {
        const double high = v.value.get(k);
        value.set(k, {high, high * 0x1p-54 * low[k]});
    }
    return {v.rows, v.columns, std::move(begin), std::move(column), value};
}

/// The paper's iteration, an operation at a time: scalars are computed on the host, which waits for
/// each dot product.
template <scalar T>
class separate_operations {
public:
    separate_operations(stream& on, const csr_matrix<double>& a, const vector<T>& b)
        : on_(on), a_(a), r0_(b), r_(b), p_(b), v_(b.size(), there), s_(b.size(), there),
          t_(b.size(), there), x_(b.size(), there), rho_(dot(on, r0_.view(), r_.view()))
    {
    }
    void iterate(int times)
    {
        for (int k = 0; k < times; ++k) {
            spmv(on_, T(1), a_.view(), p_.view(), T(0), v_.view());
            const T alpha = rho_ / dot(on_, r0_.view(), v_.view());
            axpyz(on_, -alpha, v_.view(), r_.view(), s_.view());
            spmv(on_, T(1), a_.view(), s_.view(), T(0), t_.view());
            const T omega = dot(on_, t_.view(), s_.view()) / dot(on_, t_.view(), t_.view());
            axpy(on_, alpha, p_.view(), x_.view());
            axpy(on_, omega, s_.view(), x_.view());
            axpyz(on_, -omega, t_.view(), s_.view(), r_.view());
            norm_ = nrm2(on_, r_.view());
            const T old = std::exchange(rho_, dot(on_, r0_.view(), r_.view()));
            const T beta = (rho_ / old) * (alpha / omega);
            axpy(on_, -omega, v_.view(), p_.view());
            xpay(on_, r_.view(), beta, p_.view());
        }
    }

private:
    stream& on_;
    const csr_matrix<double>& a_;
    vector<T> r0_, r_, p_, v_, s_, t_, x_;
    T rho_, norm_{0.0};
};

template <scalar T>
double time_of_separate(paper_bench& b, const csr_matrix<double>& a, const vector<T>& rhs,
                        int iterations)
{
    return median(b.samples,
                  [&] {
                      separate_operations<T> s(b.on, a, rhs);
                      s.iterate(1);
                      return wall_microseconds(b.native, [&] { s.iterate(iterations); });
                  }) /
           iterations;
}

template <scalar T>
json time_of_iteration(paper_bench& b, const csr_matrix<double>& a, const vector<T>& rhs, int most)
{
    std::vector<double> us;
    solve_report last;
    for (int k = 0; k < b.samples; ++k) {
        vector<T> x(rhs.size(), there);
        last = solve(b.on, a.view(), rhs.view(), x.view(),
                     {.method = method::bicgstab, .tolerance = 0, .max_iterations = most});
        us.push_back(last.iteration_seconds * 1e6 /
                     std::max<double>(1, static_cast<double>(last.iterations)));
    }
    return {{"microseconds", median(us)}, {"iterations", last.iterations}};
}

/// As table 1 has it.
template <scalar T>
json whole_solve(paper_bench& b, const csr_matrix<double>& a)
{
    const vector<T> rhs(a.rows(), T(1.0), there);
    vector<T> x(a.rows(), there);
    const solve_report r = solve(b.on, a.view(), rhs.view(), x.view(),
                                 {.method = method::bicgstab, .tolerance = 1e-12});
    return {{"iterations", r.iterations},
            {"seconds", r.seconds},
            {"status", std::string(to_string(r.status))},
            {"relative_residual", r.relative_residual},
            {"true_relative_residual", r.true_relative_residual}};
}

json times_of_rivals(paper_bench& b, const csr_matrix<double>& a, const vector<double>& rhs,
                     int iterations)
{
    vector<double> y(a.rows(), there);
    const product_times products = time_products(b.rivals, a, rhs.view().word(0), y.view().word(0));
    const cusparse_matrix m(b.rivals, a, product_algorithms[products.best]);
    const rival_solve s{m, a, rhs, iterations, b.samples, 0};
    json t = times_of_cublas(b, a.rows());
    t["spmv"] = products.microseconds[products.best];
    return {{"operations", t},
            {"textbook", time_of_textbook(b.rivals, s).microseconds},
            {"graph", fastest(times_of_graphs(b.rivals, s)).microseconds}};
}

template <scalar T>
json times_of_ddla(paper_bench& b, csr_matrix<double>& a, const vector<T>& rhs, int iterations,
                   bool solved)
{
    set_format<T>(a, {});
    json operations = times_of_operations<T>(b, a.rows());
    operations["spmv"] = time_of_product<T>(b, a);
    json t = {{"operations", operations},
              {"stored_as", std::string(to_string(format_of(a).format))},
              {"separate", time_of_separate<T>(b, a, rhs, iterations)},
              {"iteration", time_of_iteration<T>(b, a, rhs, iterations)}};
    if (solved) t["solve"] = whole_solve<T>(b, a);
    return t;
}

}  // namespace

json measure_bicgstab(paper_bench& b, const matrix_case& what, const built_matrix& built)
{
    json record = record_of(what, built.shape);
    csr_matrix<double> a = built.matrix.to(there);
    const vector<double> rhs = random_vector<double>(a.rows(), 4);
    const int iterations = a.nonzeros() > 4'000'000 ? 32 : 128;
    record["iterations"] = iterations;
    record["nvidia"] = times_of_rivals(b, a, rhs, iterations);
    const bool solved = what.kind == own_size;  // copies take as many iterations, each longer
    record["double"] = times_of_ddla<double>(b, a, rhs, iterations, solved);
    record["double-double"] = times_of_ddla<dd_real>(b, a, widened(rhs), iterations, solved);
    csr_matrix<dd_real> wide = with_dd_values(built.matrix).to(there);
    set_format<dd_real>(wide, {});
    record["spmv_with_dd_values"] = time_of_product<dd_real>(b, wide);
    std::printf("%-27s %-11s BiCGStab %8.2f µs double, %8.2f DD\n", what.name.c_str(),
                what.kind.c_str(), record["double"]["iteration"]["microseconds"].get<double>(),
                record["double-double"]["iteration"]["microseconds"].get<double>());
    return record;
}

}  // namespace bench
