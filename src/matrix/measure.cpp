// What a product and a copy take.
#include "measure.hpp"

#include "ddla/fp_mode.hpp"
#include "ddla/watched_scope.hpp"

#include "storage/asked_loops.hpp"

namespace ddla {

using namespace api;

namespace {

using clock = std::chrono::steady_clock;

/// Why set_format() does not take this, or nothing.
template <scalar T, scalar V>
std::string refusal(csr_matrix<V>& a, const format_options& format)
try {
    set_format<T>(a, format);
    return "";
} catch (const resource_error& e) {
    return e.what();
} catch (const input_error& e) {
    return e.what();
} catch (const std::bad_alloc&) {
    return "out of memory";
}

}  // namespace

double copy_bandwidth(place where, const measure_options& options)
{
    const fp_mode_guard exact;
    return copy_bandwidth_of(SIZE_MAX, where, options);
}

double copy_bandwidth_of(std::size_t bytes, place where, const measure_options& options)
{
    const fp_mode_guard exact;
    require_in_range("measure", options);
    return copy_bandwidth_by<clock>(bytes, where, options);
}

template <scalar T, scalar V>
requires acts_on<T, V> measured_format measure_product(const csr_matrix<V>& a, const vector<T>& x,
                                                       vector<T>& y, const measure_options& options)
{
    const fp_mode_guard exact;
    require_in_range("measure", options);
    // A watch of the thread can end a product half-way.
    const loop_question question([] {
        count_work(operations_between_looks);
        return true;
    });
    const asked_loops products;
    const auto call = [&] {
        count_work(a.nonzeros());
        spmv(T(1), a, x, T(0), y);
    };
    measured_format m;
    m.report = format_of(a);
    m.options = {m.report.format, m.report.threads_per_row};
    m.bytes = bytes_of_product<T>(a);
    m.seconds =
        timed_call<clock, decltype(call)>(engine_at(a.where()), call).median_seconds(options);
    m.hash = hash_of(y);
    return m;
}

template <scalar T, scalar V>
requires acts_on<T, V> measured_format measure_format(csr_matrix<V>& a,
                                                      const format_options& format,
                                                      const vector<T>& x, vector<T>& y,
                                                      const measure_options& options)
{
    const fp_mode_guard exact;
    measured_format m{.options = format, .refused = refusal<T>(a, format)};
    if (!m.was_measured()) return m;
    try {
        m = measure_product(a, x, y, options);
    } catch (const resource_error& e) {
        m.refused = e.what();  // not enough memory for the scratch of the product
    }
    m.options = format;
    return m;
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template measured_format measure_product(const csr_matrix<V>&, const vector<T>&, vector<T>&,   \
                                             const measure_options&);                              \
    template measured_format measure_format(csr_matrix<V>&, const format_options&,                 \
                                            const vector<T>&, vector<T>&, const measure_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
