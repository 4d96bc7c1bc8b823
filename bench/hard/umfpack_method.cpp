// UMFPACK with its defaults: up to two steps of refinement (Arioli, Demmel, Duff 1989).
#include "methods.hpp"

#include <umfpack.h>

#include <algorithm>
#include <vector>

namespace hard {

namespace {

class factors {
public:
    explicit factors(const int_columns& c) : c_(c), n_(static_cast<int>(c.begin.size()) - 1)
    {
        status = umfpack_di_symbolic(n_, n_, c.begin.data(), c.row.data(), c.value.data(),
                                     &symbolic_, nullptr, info);
        if (status >= 0)
            status = umfpack_di_numeric(c.begin.data(), c.row.data(), c.value.data(), symbolic_,
                                        &numeric_, nullptr, info);
    }
    ~factors()
    {
        umfpack_di_free_numeric(&numeric_);
        umfpack_di_free_symbolic(&symbolic_);
    }
    factors(const factors&) = delete;
    factors& operator=(const factors&) = delete;

    void solve(const double* b, double* x)
    {
        status = umfpack_di_solve(UMFPACK_A, c_.begin.data(), c_.row.data(), c_.value.data(), x, b,
                                  numeric_, nullptr, info);
    }
    bool made() const { return numeric_ != nullptr; }
    double bytes() const { return info[UMFPACK_PEAK_MEMORY] * info[UMFPACK_SIZE_OF_UNIT]; }

    int status = 0;
    double info[UMFPACK_INFO] = {};

private:
    const int_columns& c_;
    int n_;
    void *symbolic_ = nullptr, *numeric_ = nullptr;
};

}  // namespace

void run_umfpack(const problem& p, outcome& out, ddla::dd_real* to)
{
    const int_columns c = columns_of(p.a);
    const auto n = static_cast<std::size_t>(p.a.rows());
    std::vector<double> b(n), x(n);
    for (std::size_t i = 0; i < n; ++i) b[i] = p.b[static_cast<ddla::index_t>(i)];
    const double begin = processor_seconds();
    factors f(c);
    out.factor_seconds = processor_seconds() - begin;
    out.own_bytes = f.bytes();
    if (f.made()) f.solve(b.data(), x.data());
    out.seconds = processor_seconds() - begin;
    out.has_x = f.made();
    out.claims = f.status == UMFPACK_OK;
    set_status(out, f.status == UMFPACK_OK ? "ok" : "status " + std::to_string(f.status));
    std::copy(x.begin(), x.end(), to);
}

void factor_umfpack(const problem& p, outcome& out, ddla::dd_real*)
{
    const int_columns c = columns_of(p.a);
    out.factor_seconds = least_time(up_to_ten, [&] {
        const factors f(c);
        out.claims = f.status == UMFPACK_OK;
        out.own_bytes = f.bytes();
    });
}

std::string umfpack_version()
{
    return "UMFPACK " + std::to_string(UMFPACK_MAIN_VERSION) + "." +
           std::to_string(UMFPACK_SUB_VERSION) + "." + std::to_string(UMFPACK_SUBSUB_VERSION);
}

}  // namespace hard
