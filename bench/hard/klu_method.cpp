// KLU with its defaults; it has no refinement.
#include "methods.hpp"

#include <klu.h>

#include <algorithm>
#include <vector>

namespace hard {

namespace {

class factors {
public:
    explicit factors(int_columns& c) : n_(static_cast<int>(c.begin.size()) - 1)
    {
        klu_defaults(&common);
        symbolic_ = klu_analyze(n_, c.begin.data(), c.row.data(), &common);
        if (symbolic_)
            numeric_ = klu_factor(c.begin.data(), c.row.data(), c.value.data(), symbolic_, &common);
    }
    ~factors()
    {
        klu_free_numeric(&numeric_, &common);
        klu_free_symbolic(&symbolic_, &common);
    }
    factors(const factors&) = delete;
    factors& operator=(const factors&) = delete;

    void solve(double* x) { klu_solve(symbolic_, numeric_, n_, 1, x, &common); }
    bool made() const { return numeric_ != nullptr; }

    klu_common common;

private:
    int n_;
    klu_symbolic* symbolic_ = nullptr;
    klu_numeric* numeric_ = nullptr;
};

}  // namespace

void run_klu(const problem& p, outcome& out, ddla::dd_real* to)
{
    int_columns c = columns_of(p.a);
    std::vector<double> x(static_cast<std::size_t>(p.a.rows()));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = p.b[static_cast<ddla::index_t>(i)];
    const double begin = processor_seconds();
    factors f(c);
    out.factor_seconds = processor_seconds() - begin;
    if (f.made()) f.solve(x.data());
    out.seconds = processor_seconds() - begin;
    out.own_bytes = static_cast<double>(f.common.mempeak);
    out.has_x = f.made();
    out.claims = f.made() && f.common.status == KLU_OK;
    set_status(out, out.claims ? "ok" : "status " + std::to_string(f.common.status));
    std::copy(x.begin(), x.end(), to);
}

void factor_klu(const problem& p, outcome& out, ddla::dd_real*)
{
    int_columns c = columns_of(p.a);
    out.factor_seconds = least_time(up_to_ten, [&] {
        const factors f(c);
        out.claims = f.made() && f.common.status == KLU_OK;
        out.own_bytes = static_cast<double>(f.common.mempeak);
    });
}

std::string klu_version()
{
    return "KLU " + std::to_string(KLU_MAIN_VERSION) + "." + std::to_string(KLU_SUB_VERSION) + "." +
           std::to_string(KLU_SUBSUB_VERSION);
}

}  // namespace hard
