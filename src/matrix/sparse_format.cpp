#include "ddla/sparse_format.hpp"

#include "ddla/fp_mode.hpp"

#include "calls/place_of.hpp"
#include "ddla/error.hpp"
#include "engine/engine.hpp"
#include "formats/row_threads.hpp"
#include "formats/storage.hpp"
#include "threads_per_row.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace ddla {

namespace {

constexpr auto formats_alone = [] {
    std::array<sparse_format, std::size(sparse_format_names) - 1> all{};
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = sparse_format_names[k + 1].value;
    return all;
}();

void check_options(const format_options& o)
{
    const int t = o.threads_per_row;
    if (t != 0 && (t < 0 || t > 32 || (t & (t - 1)) != 0))
        throw input_error("set_format: 1, 2, 4, 8, 16 or 32 threads can share a row, not " +
                          std::to_string(t));
}

template <scalar V>
format_report plain(const csr<V>& a, std::string reason)
{
    format_report r;
    r.reason = std::move(reason);
    r.slots = a.nonzeros();
    r.product_bytes = bytes_of_compressed_rows(a);
    return r;
}

/// What to store, and why; no reason yet where the rows decide.
struct choice {
    format_options options;
    std::string reason;
};

/// What `automatic`, and threads that are to be measured, stand for.
template <scalar T, scalar V>
choice chosen(csr_matrix<V>& a, format_options options)
{
    if (formats::wants_measuring(options)) {
        const api::threads_found found = api::fastest_threads<T>(a);
        options.threads_per_row = found.threads;
        return {options, "asked for, " + found.reason};
    }
    if (options.format != sparse_format::automatic) return {options, "asked for"};
    const engine& here = api::engine_at(a.where());
    std::string reason = a.nonzeros() == 0 ? "there are no entries"
                         : here.solves_in_one_kernel(a.rows(), a.view().longest_row)
                             ? "so small a system may be solved in one kernel, from compressed rows"
                             : "";
    if (!reason.empty()) options.format = sparse_format::csr;
    return {options, std::move(reason)};
}

/// Why patterns, slices or tiles, in numbers.
template <scalar V>
std::string reason_for(const row_storage<V>& s, index_t entries)
{
    char text[160];
    if (s.patterns.count > 0) {
        std::snprintf(text, sizeof text, "rows have %d pattern%s, %s", s.patterns.count,
                      s.patterns.count == 1 ? "" : "s",
                      s.patterns.has_values() ? "one byte a row" : "with separate values");
        return text;
    }
    const double slots = double(std::max<index_t>(s.report.slots, 1));
    std::snprintf(text, sizeof text, "%.2f slots an entry, %.1f bytes a slot%s%s",
                  s.report.padding(entries), double(s.report.product_bytes) / slots,
                  s.slices.distinct.size > 0 ? ", values repeat" : "",
                  s.lists.count > 0 ? ", adjacent rows share columns"
                  : s.far > 0.5     ? ", adjacent rows have distant columns"
                                    : "");
    return text;
}

}  // namespace

std::span<const sparse_format> all_sparse_formats()
{
    return formats_alone;
}

std::string_view to_string(sparse_format format)
{
    return name_of(format);
}

std::optional<sparse_format> sparse_format_named(std::string_view name)
{
    for (const auto& [its, format] : sparse_format_names)
        if (its == name) return format;
    return {};
}

std::string advice_on_removed_format(std::string_view name)
{
    constexpr std::array<std::string_view, 5> removed{"ell", "sell", "coo", "hyb", "binned"};
    if (std::find(removed.begin(), removed.end(), name) == removed.end()) return {};
    return "the format \"" + std::string(name) + "\" is no longer there; use slices, or auto";
}

template <scalar T, scalar V>
requires acts_on<T, V> format_report set_format(csr_matrix<V>& a, const format_options& wanted)
{
    const fp_mode_guard exact;
    check_options(wanted);
    a.store_as(nullptr);
    if (a.view().longest_row == INT64_MAX) a.look_at_rows();
    const auto started = std::chrono::steady_clock::now();
    const auto seconds = [started] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    engine& here = api::engine_at(a.where());
    api::look_at_values(here, a);
    auto [options, reason] = chosen<T>(a, wanted);
    a.store_as(nullptr);  // what was measured last
    std::shared_ptr<row_storage<V>> stored;
    try {
        constexpr bool for_double = words_of<T> == 1;
        stored = here.template formats<V>().store(a.view(), options, for_double, reason);
        here.wait();
    } catch (const resource_error& e) {
        if (wanted.format != sparse_format::automatic)
            throw resource_error("set_format: cannot make " +
                                 std::string(to_string(options.format)) + " of " +
                                 std::to_string(a.nonzeros()) + " entries: " + e.what());
        return plain(a.view(), std::string("no other format could be made: ") + e.what());
    }
    if (!stored) {
        format_report report = plain(a.view(), reason);
        report.seconds = seconds();
        return report;
    }
    format_report& report = stored->report;
    report.seconds = seconds();
    report.reason = reason.empty() ? reason_for(*stored, a.nonzeros()) : reason;
    a.store_as(stored);
    return report;
}

template <scalar V>
format_report format_of(const csr_matrix<V>& a)
{
    const fp_mode_guard exact;
    const csr<V> view = a.view();
    return view.storage ? view.storage->report : plain(view, "nothing else was asked for");
}

template <scalar T, scalar V>
requires acts_on<T, V> std::size_t bytes_of_product(const csr_matrix<V>& a)
{
    return bytes_read_by_product<T>(a.view()) +
           static_cast<std::size_t>(a.rows() + a.columns()) * sizeof(T);
}

template format_report set_format<double>(csr_matrix<double>&, const format_options&);
template format_report set_format<dd_real>(csr_matrix<double>&, const format_options&);
template format_report set_format<dd_real>(csr_matrix<dd_real>&, const format_options&);
template format_report format_of(const csr_matrix<double>&);
template format_report format_of(const csr_matrix<dd_real>&);
template std::size_t bytes_of_product<double>(const csr_matrix<double>&);
template std::size_t bytes_of_product<dd_real>(const csr_matrix<double>&);
template std::size_t bytes_of_product<dd_real>(const csr_matrix<dd_real>&);

}  // namespace ddla
