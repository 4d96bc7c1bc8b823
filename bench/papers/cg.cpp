// CG with the product of CRS-T, as its paper has it, with cuSPARSE's, and by ddla.
#include "crs_kernels.hpp"
#include "paper_bench.hpp"
#include "residuals.hpp"

#include "support/cusparse_matrix.hpp"

#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "ddla/matrix_info.hpp"
#include "ddla/sparse_format.hpp"

#include <cmath>
#include <sstream>

namespace bench {

using namespace ddla;

namespace {

constexpr int iterations = 64;  ///< of a solve that is timed
constexpr int compared =
    3;  ///< iterations after which residuals are compared, before rounding shows

using multiplication = std::function<void(const double* x, double* y)>;

double* words(vector<double>& x)
{
    return x.view().word(0);
}

/// The loop of the CRS-T paper: three vector updates, two dot products, and a square root that the
/// host looks at, by cuBLAS.
class textbook_cg {
public:
    textbook_cg(const rivals& by, index_t n, multiplication multiply)
        : by_(by), n_(n), multiply_(std::move(multiply)), r_(n, there), p_(n, there), q_(n, there)
    {
    }
    void start(const double* b, double* x)
    {
        by_.scalars_on_host();
        x_ = x;
        check(cudaMemsetAsync(x, 0, static_cast<std::size_t>(n_) * sizeof(double), by_.stream()),
              "cudaMemsetAsync");
        by_.copy(n_, b, words(r_));
        by_.copy(n_, b, words(p_));
        by_.dot(n_, words(r_), words(r_), &rho_);
    }
    void iterate(int times)
    {
        const double one = 1;
        for (int k = 0; k < times; ++k) {
            multiply_(words(p_), words(q_));
            double p_q = 0;
            by_.dot(n_, words(p_), words(q_), &p_q);
            const double alpha = rho_ / p_q, minus_alpha = -alpha, old_rho = rho_;
            by_.axpy(n_, &alpha, words(p_), x_);
            by_.axpy(n_, &minus_alpha, words(q_), words(r_));
            by_.dot(n_, words(r_), words(r_), &rho_);
            if (std::sqrt(rho_) < tolerance) return;
            const double beta = rho_ / old_rho;
            by_.scal(n_, &beta, words(p_));
            by_.axpy(n_, &one, words(r_), words(p_));
        }
    }

private:
    static constexpr double tolerance = 0;
    const rivals& by_;
    index_t n_;
    multiplication multiply_;
    vector<double> r_, p_, q_;
    double* x_ = nullptr;
    double rho_ = 0;
};

struct problem {
    const matrix_case& what;
    csr_matrix<double> a;
    vector<double> b;
};

struct cg_time {
    double microseconds = 0;  ///< an iteration
    double residual = 0;      ///< true and relative, after as many iterations as are compared
};

cg_time time_of_textbook(paper_bench& b, const problem& p, multiplication multiply)
{
    vector<double> x(p.a.rows(), there);
    textbook_cg solver(b.rivals, p.a.rows(), std::move(multiply));
    const auto start = [&] { solver.start(p.b.view().word(0), words(x)); };
    start();
    solver.iterate(compared);
    check(cudaStreamSynchronize(b.native), "cudaStreamSynchronize");
    const double residual = true_residual(p.a, x, p.b).relative;
    const double us = median(b.samples, [&] {
        start();
        return wall_microseconds(b.native, [&] { solver.iterate(iterations); });
    });
    return {us / iterations, residual};
}

template <scalar T>
cg_time time_of_ddla(paper_bench& b, const problem& p, const vector<T>& rhs)
{
    const auto solve_for = [&](int most) {
        vector<T> x(rhs.size(), there);
        return solve(b.on, p.a.view(), rhs.view(), x.view(),
                     {.method = method::cg, .tolerance = 0, .max_iterations = most});
    };
    const double residual = solve_for(compared).true_relative_residual;
    const double us = median(b.samples, [&] {
        const solve_report r = solve_for(iterations);
        return r.iteration_seconds * 1e6 / std::max<double>(1, static_cast<double>(r.iterations));
    });
    return {us, residual};
}

/// The fastest T of the paper's kernel, as its tuning takes it.
int fastest_threads(paper_bench& b, const crs_product<double>& product)
{
    int best = 1;
    double least = HUGE_VAL;
    for (int threads = 1; threads <= 32; threads *= 2) {
        const double us = b.time([&] { multiply(crs_version::crs_t, threads, product, b.native); });
        if (us < least) least = us, best = threads;
    }
    return best;
}

json in_json(const char* who, const char* precision, const cg_time& t, int threads = 0)
{
    return {{"who", who},
            {"precision", precision},
            {"microseconds", t.microseconds},
            {"residual", t.residual},
            {"threads", threads}};
}

json time_of_crs_t(paper_bench& b, const problem& p)
{
    const buffer begin = narrow_row_begin(p.a, b.native);
    vector<double> y(p.a.rows(), there);
    crs_product<double> one{{static_cast<int>(p.a.rows()),
                             static_cast<const std::int32_t*>(begin.data()), p.a.view().column,
                             p.a.view().value.word(0)},
                            1,
                            0,
                            p.b.view(),
                            y.view()};
    const int threads = fastest_threads(b, one);
    const auto multiply_once = [&](const double* x, double* to) {
        one.x = vec<const double>(x, p.a.rows());
        one.y = vec<double>(to, p.a.rows());
        multiply(crs_version::crs_t, threads, one, b.native);
    };
    return in_json("CRS-T + cuBLAS", "double", time_of_textbook(b, p, multiply_once), threads);
}

json time_of_cusparse(paper_bench& b, const problem& p)
{
    vector<double> y(p.a.rows(), there);
    const product_times times = time_products(b.rivals, p.a, p.b.view().word(0), words(y));
    const cusparse_matrix m(b.rivals, p.a, product_algorithms[times.best]);
    return in_json("cuSPARSE + cuBLAS", "double",
                   time_of_textbook(b, p, [&](const double* x, double* to) { m.multiply(x, to); }));
}

json time_of_format(paper_bench& b, problem& p, sparse_format format, const char* precision)
{
    const bool in_double = precision == number_traits<double>::name_in_text;
    const format_report r = in_double ? set_format<double>(p.a, {.format = format})
                                      : set_format<dd_real>(p.a, {.format = format});
    const cg_time t = in_double ? time_of_ddla(b, p, p.b) : time_of_ddla(b, p, widened(p.b));
    const char* const who = format == sparse_format::crs_t ? "ddla, crs_t" : "ddla, auto";
    return in_json(who, precision, t, r.threads_per_row);
}

bool may_be_definite(const csr_matrix<double>& a)
{
    const matrix_info i = inspect(a);
    return i.symmetric && i.negative_diagonal == 0 && i.missing_diagonal == 0;
}

void compare(paper_bench& b, const matrix_case& what, const json& solvers)
{
    const double of_first = solvers.front()["residual"];
    for (const json& s : solvers) {
        const double residual = s["residual"];
        std::ostringstream said;
        said << what.name << ": the residuals of CG after " << compared << " iterations are "
             << residual << " and " << of_first;
        b.agreements.require(residuals_agree(residual, of_first), said.str());
    }
}

}  // namespace

json measure_cg(paper_bench& b, const matrix_case& what, const built_matrix& built)
{
    json record = record_of(what, built.shape);
    const auto known = b.may_be_definite.find(what.name);  // copies are what one is
    const bool wanted =
        known != b.may_be_definite.end() ? known->second : may_be_definite(built.matrix);
    b.may_be_definite[what.name] = wanted;
    if (!wanted) {
        record["skipped"] = "not symmetric with a positive diagonal";
        return record;
    }
    problem p{what, built.matrix.to(there), random_vector<double>(built.shape.rows, 4)};
    json solvers = json::array();
    solvers.push_back(time_of_cusparse(b, p));
    solvers.push_back(time_of_crs_t(b, p));
    for (const sparse_format format : {sparse_format::crs_t, sparse_format::automatic})
        for (const char* precision :
             {number_traits<double>::name_in_text, number_traits<dd_real>::name_in_text})
            solvers.push_back(time_of_format(b, p, format, precision));
    compare(b, what, solvers);
    record["solvers"] = solvers;
    std::printf("%-27s %-11s CG\n", what.name.c_str(), what.kind.c_str());
    return record;
}

}  // namespace bench
