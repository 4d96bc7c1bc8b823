// Sparse L D L^T beside the LU of the same symmetric matrix, both in double: entries, operations,
// seconds of analysis and factorisation.
//
//     bench_symmetric_factors FILE.mtx…
//
// A line for each symmetric matrix that LU finds nonsingular; geometric means of L D L^T / LU at
// the end, by LU's operations.
#include "factor/lu/factors.hpp"
#include "factor/supernodal/symmetric.hpp"

#include "ddla/matrix_market.hpp"
#include "support/processor_time.hpp"
#include "support/program.hpp"

#include <cmath>

namespace {

using namespace ddla::factor;

constexpr bench::repeats some{.least = 2, .most = 5, .seconds = 0.5};

struct mean {
    const char* name;
    double least, log_time = 0, log_entries = 0;
    int count = 0, refused = 0;
};

void compare(const std::string& file, std::vector<mean>& means)
{
    const auto a = ddla::read_matrix<double>(file);
    if (a.rows() != a.columns()) return;
    const symmetric_options limits{.most_operations = 2e9};
    const auto s = symmetric_factors<double>::make(a.view(), limits);
    if (s.about().end == factor_end::not_symmetric) return;
    const auto lu = factors<double>::make(a.view(), {.most_operations = 4e9});
    if (lu.about().end != factor_end::complete || lu.about().rank < a.rows()) return;
    mean* of = &means.front();
    for (mean& m : means)
        if (lu.about().operations >= m.least) of = &m;
    if (s.about().end != factor_end::complete) {
        ++of->refused;
        std::printf("%-60s refused (%d), growth %.1e\n", file.c_str(),
                    static_cast<int>(s.about().end), s.about().growth);
        return;
    }
    const double mine =
        least_time(some, [&] { symmetric_factors<double>::make(a.view(), limits); });
    const double its = least_time(some, [&] { factors<double>::make(a.view(), {}); });
    const auto entries = static_cast<double>(s.about().entries),
               its_entries = static_cast<double>(lu.about().entries);
    std::printf("%-60s pairs %5lld  entries %9.0f / %9.0f  operations %.2e / %.2e  ms %8.2f / "
                "%8.2f = %.2f\n",
                file.c_str(), static_cast<long long>(s.about().pairs), entries, its_entries,
                s.about().operations, lu.about().operations, 1e3 * mine, 1e3 * its, mine / its);
    ++of->count;
    of->log_time += std::log(mine / its);
    of->log_entries += std::log(entries / its_entries);
}

int measure(const std::vector<std::string>& files)
{
    std::vector<mean> means{{"below 1e5", 0}, {"1e5 to 1e7", 1e5}, {"from 1e7", 1e7}};
    for (const std::string& file : files) compare(file, means);
    for (const mean& m : means)
        if (m.count > 0)
            std::printf(
                "operations of LU %-10s: %d matrices (%d refused), entries %.2f, time %.2f\n",
                m.name, m.count, m.refused, std::exp(m.log_entries / m.count),
                std::exp(m.log_time / m.count));
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> files;
    CLI::App app("Sparse L D L^T beside the LU of the same symmetric matrix");
    app.add_option("files", files, "Matrix Market files")->required();
    return bench::run_program("bench_symmetric_factors", app, argc, argv,
                              [&] { return measure(files); });
}
