#include "threads_per_row.hpp"

#include "ddla/error.hpp"
#include "formats/row_threads.hpp"

#include <cstdio>
#include <new>

namespace ddla::api {

namespace {

/// Short: what lies within the noise of so short a measurement is as good.
constexpr measure_options short_while{.seconds = 0.002, .repeats = 5};

std::string text_of(const measured_format& m)
{
    char text[60];
    std::snprintf(text, sizeof text, "%.4g microseconds a product", m.seconds * 1e6);
    return text;
}

template <scalar V>
threads_found by_rule(const csr_matrix<V>& a, const char* why)
{
    return {formats::threads_by_rule(a.nonzeros(), a.rows()),
            std::string("T by the rule of crs_vector, for ") + why};
}

template <scalar T, scalar V>
std::vector<measured_format> measure_threads(csr_matrix<V>& a)
{
    const vector<T> x(a.columns(), T(1) / T(3.0), a.where());
    vector<T> y(a.rows(), a.where());
    std::vector<measured_format> measured;
    for (const format_options& next : formats_to_try({sparse_format::crs_t}))
        measured.push_back(measure_format(a, next, x, y, short_while));
    require_equal_hashes(measured);
    return measured;
}

}  // namespace

threads_found fastest_of(const std::vector<measured_format>& measured)
{
    const measured_format* best = nullptr;
    int count = 0;
    for (const measured_format& m : measured) {
        if (!m.was_measured()) continue;
        ++count;
        if (!best || m.seconds < best->seconds) best = &m;
    }
    if (!best) return {0, ""};
    const int threads = best->options.threads_per_row;
    std::string reason = std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
                         " a row: the fastest of " + std::to_string(count) + ", " + text_of(*best);
    const measured_format& first = measured.front();
    if (best != &first && first.was_measured()) reason += ", " + text_of(first) + " with 1";
    return {threads, reason};
}

template <scalar T, scalar V>
void keep_fastest(csr_matrix<V>& a, const threads_found& found)
{
    if (found.threads > 0) a.threads().keep({words_of<T>, found.threads, found.reason});
}

template <scalar T, scalar V>
threads_found fastest_threads(csr_matrix<V>& a)
{
    if (a.nonzeros() == 0) return by_rule(a, "there are no entries");
    if (const auto* const known = a.threads().of(words_of<T>))
        return {known->threads, known->reason + ", as measured before"};
    try {
        const threads_found found = fastest_of(measure_threads<T>(a));
        keep_fastest<T>(a, found);
        if (found.threads > 0) return found;
    } catch (const resource_error&) {
    } catch (const std::bad_alloc&) {
    }
    return by_rule(a, "there is no room to measure products");
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template threads_found fastest_threads<T>(csr_matrix<V>&);                                     \
    template void keep_fastest<T>(csr_matrix<V>&, const threads_found&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
