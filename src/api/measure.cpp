// What a product and a copy take.
#include "ddla/tune.hpp"

#include "place_of.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <new>
#include <vector>

namespace ddla {

using namespace api;

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start)
{
    return std::chrono::duration<double>(clock::now() - start).count();
}

void check(const measure_options& o)
{
    if (!std::isfinite(o.seconds) || o.seconds < 0)
        throw input_error("measure: the time must be finite and not negative");
    if (o.repeats < 1)
        throw input_error("measure: at least 1 repeat is needed, not " + std::to_string(o.repeats));
}

/// What one call takes, waiting for `here` left out as far as batches can.
template <class Call>
class stopwatch {
public:
    stopwatch(engine& here, const Call& call) : here_(here), call_(call) {}

    double median_seconds(const measure_options& o) const
    {
        seconds_of(1);  // caches, clocks, whatever the first call sets up
        const double room = o.seconds / o.repeats, once = std::max(seconds_of(1), 1e-7);
        const auto batch = static_cast<index_t>(std::clamp(room / once, 1.0, 1000.0));
        std::vector<double> all;
        const auto repeats = static_cast<std::size_t>(o.repeats);
        const clock::time_point start = clock::now();
        while (all.size() < repeats || seconds_since(start) < o.seconds)
            all.push_back(seconds_of(batch));
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
        std::nth_element(all.begin(), middle, all.end());
        return *middle;
    }

private:
    double seconds_of(index_t calls) const
    {
        const clock::time_point start = clock::now();
        for (index_t i = 0; i < calls; ++i) call_();
        here_.wait();
        return seconds_since(start) / static_cast<double>(calls);
    }

    engine& here_;
    const Call& call_;
};

double bandwidth_of(index_t n, place at, const measure_options& options)
{
    const vector<double> x(n, 1.0, at);
    vector<double> y(n, at);
    const auto call = [&] { copy(x, y); };
    const double bytes = 2.0 * sizeof(double) * static_cast<double>(n);
    return bytes / stopwatch(engine_at(at), call).median_seconds(options);
}

/// Why set_format() does not take this, or nothing.
template <scalar V>
std::string refusal(csr_matrix<V>& a, const format_options& format)
try {
    set_format(a, format);
    return "";
} catch (const resource_error& e) {
    return e.what();
} catch (const input_error& e) {
    return e.what();
} catch (const std::bad_alloc&) {
    return "out of memory";
}

}  // namespace

double copy_bandwidth(place at, const measure_options& options)
{
    return copy_bandwidth_of(SIZE_MAX, at, options);
}

double copy_bandwidth_of(std::size_t bytes, place at, const measure_options& options)
{
    check(options);
    // At most of a size that no cache holds; a device needs more for its full speed.
    const std::size_t most = std::size_t{1} << (at.is_host() ? 24 : 26);
    const std::size_t wanted = std::clamp<std::size_t>(bytes / (2 * sizeof(double)), 1, most);
    for (auto n = static_cast<index_t>(wanted);; n /= 2) {
        try {
            return bandwidth_of(n, at, options);
        } catch (const resource_error&) {
            if (n <= 1024) throw;
        } catch (const std::bad_alloc&) {
            if (n <= 1024) throw;
        }
    }
}

template <scalar T, scalar V>
requires acts_on<T, V> measured_format measure_product(const csr_matrix<V>& a, const vector<T>& x,
                                                       vector<T>& y, const measure_options& options)
{
    check(options);
    const auto call = [&] { spmv(T(1), a, x, T(0), y); };
    measured_format m;
    m.report = format_of(a);
    m.options = {m.report.format, m.report.threads_per_row, m.report.window};
    m.bytes = bytes_of_product<T>(a);
    m.seconds = stopwatch(engine_at(a.where()), call).median_seconds(options);
    m.hash = hash_of(y);
    return m;
}

template <scalar T, scalar V>
requires acts_on<T, V> measured_format measure_format(csr_matrix<V>& a,
                                                      const format_options& format,
                                                      const vector<T>& x, vector<T>& y,
                                                      const measure_options& options)
{
    measured_format m{.options = format, .refused = refusal(a, format)};
    if (!m.was_measured()) return m;
    m = measure_product(a, x, y, options);
    m.options = format;
    return m;
}

template measured_format measure_product(const csr_matrix<double>&, const vector<double>&,
                                         vector<double>&, const measure_options&);
template measured_format measure_product(const csr_matrix<double>&, const vector<dd_real>&,
                                         vector<dd_real>&, const measure_options&);
template measured_format measure_product(const csr_matrix<dd_real>&, const vector<dd_real>&,
                                         vector<dd_real>&, const measure_options&);
template measured_format measure_format(csr_matrix<double>&, const format_options&,
                                        const vector<double>&, vector<double>&,
                                        const measure_options&);
template measured_format measure_format(csr_matrix<double>&, const format_options&,
                                        const vector<dd_real>&, vector<dd_real>&,
                                        const measure_options&);
template measured_format measure_format(csr_matrix<dd_real>&, const format_options&,
                                        const vector<dd_real>&, vector<dd_real>&,
                                        const measure_options&);

}  // namespace ddla
