// Sparse L D L^T beside the LU of the same symmetric matrix, both in double: entries, operations,
// seconds of analysis and factorisation.
//
//     bench_symmetric_factors FILE.mtx…
//
// A line for each symmetric matrix that LU finds nonsingular; geometric means of L D L^T / LU at
// the end, by LU's operations.
#include "factor/lu/factors.hpp"
#include "factor/symmetric/symmetric.hpp"

#include "ddla/matrix_market.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>

namespace {

using namespace ddla::factor;

/// Of the processor, by this thread: other work on the machine does not count.
double seconds_now()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// The shortest of up to 5 runs, while they take less than half a second together.
template <class F>
double best_time(const F& f)
{
    double best = HUGE_VAL, total = 0;
    for (int k = 0; k < 5 && (k < 2 || total < 0.5); ++k) {
        const double begin = seconds_now();
        f();
        best = std::min(best, seconds_now() - begin);
        total += seconds_now() - begin;
    }
    return best;
}

struct mean {
    const char* name;
    double least, log_time = 0, log_entries = 0;
    int count = 0, refused = 0;
};

void compare(const char* file, std::vector<mean>& means)
{
    const auto a = ddla::read_matrix<double>(file);
    if (a.rows() != a.columns()) return;
    const symmetric_options limits{.most_operations = 2e9};
    const auto s = symmetric_factors<double>::make(a.view(), limits);
    if (s.about().end == symmetric_end::not_symmetric) return;
    const auto lu = factors<double>::make(a.view(), {.most_operations = 4e9});
    if (lu.about().end != lu_end::complete || lu.about().rank < a.rows()) return;
    mean* of = &means.front();
    for (mean& m : means)
        if (lu.about().operations >= m.least) of = &m;
    if (s.about().end != symmetric_end::complete) {
        ++of->refused;
        std::printf("%-60s refused (%d), growth %.1e\n", file, static_cast<int>(s.about().end),
                    s.about().growth);
        return;
    }
    const double mine = best_time([&] { symmetric_factors<double>::make(a.view(), limits); });
    const double its = best_time([&] { factors<double>::make(a.view(), {}); });
    const auto entries = static_cast<double>(s.about().entries),
               its_entries = static_cast<double>(lu.about().entries);
    std::printf("%-60s pairs %5lld  entries %9.0f / %9.0f  operations %.2e / %.2e  ms %8.2f / "
                "%8.2f = %.2f\n",
                file, static_cast<long long>(s.about().pairs), entries, its_entries,
                s.about().operations, lu.about().operations, 1e3 * mine, 1e3 * its, mine / its);
    ++of->count;
    of->log_time += std::log(mine / its);
    of->log_entries += std::log(entries / its_entries);
}

}  // namespace

int main(int count, char** file)
{
    std::vector<mean> means{{"below 1e5", 0}, {"1e5 to 1e7", 1e5}, {"from 1e7", 1e7}};
    for (int k = 1; k < count; ++k) compare(file[k], means);
    for (const mean& m : means)
        if (m.count > 0)
            std::printf(
                "operations of LU %-10s: %d matrices (%d refused), entries %.2f, time %.2f\n",
                m.name, m.count, m.refused, std::exp(m.log_entries / m.count),
                std::exp(m.log_time / m.count));
}
