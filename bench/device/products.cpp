// y = A x beside cuSPARSE.
#include "support/cusparse_matrix.hpp"
#include "support/timing.hpp"
#include "workbench.hpp"

#include "ddla/generate.hpp"

namespace bench {

using namespace ddla;

namespace {

template <scalar T>
double time_of_ddla(workbench& w, const csr_matrix<double>& a, const vector<T>& x, vector<T>& y)
{
    return microseconds(w.native, [&] { spmv(w.on, T(1), a.view(), x.view(), T(0), y.view()); });
}

/// |mine - theirs| / |mine| is rounding.
void compare(workbench& w, const std::string& name, const vector<double>& mine,
             const vector<double>& theirs)
{
    const double relative = relative_difference(mine, theirs);
    char text[120];
    std::snprintf(text, sizeof text, "%s: the products of ddla and cuSPARSE differ by %.1e",
                  name.c_str(), relative);
    w.agreements.require(relative <= 1e-12, text);
}

void record(workbench& w, const std::string& name, const csr_matrix<double>& a, const char* who,
            const std::string& precision, double us, double rival, json more = json::object())
{
    json one = {{"matrix", name},
                {"rows", a.rows()},
                {"entries", a.nonzeros()},
                {"who", who},
                {"precision", precision},
                {"microseconds", us},
                {"time_to_cusparse", us / rival}};
    one.update(more);
    w.results["spmv"].push_back(one);
}

void measure(workbench& w, const std::string& name, const csr_matrix<double>& a)
{
    const auto x = random_vector<double>(a.columns(), 3);
    const auto x_dd = random_vector<dd_real>(a.columns(), 3);
    vector<double> y(a.rows(), there), y_of_rival(a.rows(), there);
    vector<dd_real> y_dd(a.rows(), there);

    const product_times theirs =
        time_products(w.rivals, a, x.view().word(0), y_of_rival.view().word(0));
    const double rival = theirs.microseconds[theirs.best];
    const double mine = time_of_ddla(w, a, x, y), mine_dd = time_of_ddla(w, a, x_dd, y_dd);
    compare(w, name, y, y_of_rival);

    json algorithms;
    for (std::size_t k = 0; k < product_algorithms.size(); ++k)
        algorithms[product_algorithms[k].name] = theirs.microseconds[k];
    const char* const best = product_algorithms[theirs.best].name;
    record(w, name, a, "cuSPARSE", "double", rival, rival,
           {{"algorithm", best}, {"algorithms", algorithms}});
    record(w, name, a, "ddla", "double", mine, rival);
    record(w, name, a, "ddla", "double-double", mine_dd, rival);
    std::printf("%-16s %10ld | %9.2f  %-9s | %9.2f %6.2f | %9.2f %6.2f\n", name.c_str(),
                static_cast<long>(a.nonzeros()), rival, best, mine, mine / rival, mine_dd,
                mine_dd / rival);
}

}  // namespace

void measure_products(workbench& w)
{
    std::printf("Sparse products: microseconds; time / cuSPARSE's time\n"
                "%-16s %10s | %20s | %16s | %16s\n",
                "", "entries", "cuSPARSE, the best", "ddla double", "double-double");
    for (const int size : {32, 64, 128, 200}) {
        if (w.quick && size > 64) continue;
        measure(w, "7-point " + std::to_string(size) + "^3", w.cubes(size));
    }
    const index_t n = w.quick ? 100000 : 1000000;
    const std::string rows = w.quick ? "100k" : "1M";
    measure(w, "random " + rows + " x 21", generate::random(n, 21, 0.1, 1).to(there));
    measure(w, "skewed " + rows + " x 11", generate::skewed(n, 11, 1.0, 1).to(there));
    std::printf("\n");
}

}  // namespace bench
