#include "ddla/tune.hpp"

#include "ddla/fp_mode.hpp"

#include "ddla/error.hpp"
#include "ddla/watched_scope.hpp"

#include "calls/own_mode.hpp"
#include "formats/row_threads.hpp"
#include "threads_per_row.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace ddla {

namespace {

/// Values whose sums have other bits in another order.
template <scalar T>
vector<T> operand(index_t n, place where)
{
    std::array<T, 997> some;
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = T(1) / T(static_cast<double>(i + 1));
    vector<T> x(n);
    for (index_t i = 0; i < n; ++i) x.set(i, some[static_cast<std::size_t>(i) % some.size()]);
    return where.is_host() ? std::move(x) : x.to(where);
}

template <class... Values>
std::string print(const char* format, Values... values)
{
    std::array<char, 100> text;
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

std::string hash_text(const measured_format& m)
{
    return print("%016llx", static_cast<unsigned long long>(m.hash)) + " in " +
           std::string(to_string(m.options.format));
}

std::string reason_for(const tuning& t)
{
    if (!t.fastest) return "no format was measured";
    const auto measured = std::count_if(t.formats.begin(), t.formats.end(),
                                        [](const auto& m) { return m.was_measured(); });
    std::string reason = print("the fastest of %lld: %.4g microseconds a product",
                               static_cast<long long>(measured), t.fastest->seconds * 1e6);
    if (t.fastest->report.format == sparse_format::csr) return reason;
    for (const measured_format& m : t.formats)
        if (m.was_measured() && m.report.format == sparse_format::csr)
            return reason + print(", %.4g in csr", m.seconds * 1e6);
    return reason;
}

/// Measures all formats into t.formats, until `watch` returns false.
template <scalar T, scalar V>
void measure_all(csr_matrix<V>& a, const tune_options& options, tuning& t)
{
    const std::vector<format_options> all = formats_to_try(options.formats);
    const vector<T> x = operand<T>(a.columns(), a.where());
    vector<T> y(a.rows(), a.where());
    for (format_options next : all) {
        next.memory_limit = options.memory_limit;
        const auto goes_on = [&] {
            return !options.watch || options.watch({t.formats.size(), all.size(), next});
        };
        const auto measure = [&] {
            t.formats.push_back(measure_format(a, next, x, y, options.measure));
        };
        t.interrupted = !goes_on() || !completed(goes_on, measure);
        if (t.interrupted) return;
    }
}

/// Where all threads of crs_t were measured, set_format() need not measure them again.
template <scalar T, scalar V>
void keep_threads(csr_matrix<V>& a, const tuning& t)
{
    std::vector<measured_format> with_threads;
    for (const measured_format& m : t.formats)
        if (formats::wants_measuring({.format = m.options.format})) with_threads.push_back(m);
    if (with_threads.size() == formats_to_try({sparse_format::crs_t}).size())
        api::keep_fastest<T>(a, api::fastest_of(with_threads));
}

}  // namespace

std::vector<format_options> formats_to_try(const std::vector<sparse_format>& formats)
{
    const auto known = all_sparse_formats();
    std::vector<format_options> all;
    for (const sparse_format f :
         formats.empty() ? std::vector(known.begin(), known.end()) : formats) {
        if (formats::wants_measuring({.format = f}))
            for (int t = 1; t <= 32; t *= 2) all.push_back({.format = f, .threads_per_row = t});
        else
            all.push_back({.format = f});
    }
    return all;
}

void require_equal_hashes(const std::vector<measured_format>& formats)
{
    const measured_format* first = nullptr;
    for (const measured_format& m : formats) {
        if (!m.was_measured()) continue;
        if (!first) first = &m;
        if (m.hash != first->hash)
            throw internal_error("y = A x has the hash " + hash_text(*first) + ", but " +
                                 hash_text(m));
    }
}

template <scalar T, scalar V>
requires acts_on<T, V> tuning tune(csr_matrix<V>& a, const tune_options& options)
{
    const fp_mode_guard exact;
    tuning t;
    // The watch of the options is asked before each format; one of the thread may end this, too.
    t.interrupted =
        !completed({}, [&] { t.copy_bandwidth = copy_bandwidth(a.where(), options.measure); });
    if (!t.interrupted) measure_all<T>(a, api::in_own_mode(options), t);
    require_equal_hashes(t.formats);
    keep_threads<T>(a, t);
    for (const measured_format& m : t.formats)
        if (m.was_measured() && (!t.fastest || m.seconds < t.fastest->seconds)) t.fastest = m;
    t.reason = reason_for(t);
    set_format<T>(a, t.fastest ? t.fastest->options : format_options{.format = sparse_format::csr});
    return t;
}

#define DDLA_INSTANTIATE(T, V) template tuning tune<T>(csr_matrix<V>&, const tune_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
