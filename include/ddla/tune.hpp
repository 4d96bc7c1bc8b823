// Which format serves the products of a matrix best: tried, and measured.
//
//     const ddla::tuning found = ddla::tune<ddla::dd_real>(a);  // a is in the fastest now
//     const ddla::format_options fastest = found.fastest->options;  // for others like a
//
// A product has the same bits in every format: what is measured here changes speed alone.
#pragma once

#include "blas.hpp"
#include "describe.hpp"
#include "sparse_format.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ddla {

/// How long to measure: at least so many seconds, and at least so many times.  Short calls are
/// timed in batches, so that neither the clock's resolution nor the wait for a device counts.
struct measure_options {
    double seconds = 0.02;
    int repeats = 5;
};

/// Of the command alone: C and Python tune with the defaults.
template <class Visit, class... Like>
void describe(described<measure_options>, const Visit& visit, Like&... o)
{
    using namespace about;
    visit(option<whole_numbers>{.name = "repeats",
                                .label = "N",
                                .help = "Time each format N times at least ({}), ...",
                                .values = {1},
                                .in_command = whole_numbers{1, 1'000'000},
                                .command = "repeat"},
          o.repeats...);
    visit(option<numbers>{.name = "seconds",
                          .label = "S",
                          .help = "... and for S seconds at least",
                          .values = {.most = 1e9},
                          .in_command = numbers{.most = 3600}},
          o.seconds...);
}

/// A format, and what products in it take.
struct measured_format {
    format_options options = {};  ///< what was asked for
    format_report report = {};    ///< what that came to
    std::size_t bytes = 0;        ///< that a product must move at least: bytes_of_product()
    double seconds = 0;           ///< of a product, the median
    std::uint64_t hash = 0;       ///< of y = A x
    std::string refused = {};     ///< why the matrix cannot be stored so, else empty

    bool was_measured() const { return refused.empty(); }
    /// Seconds that the bytes take at a bandwidth in bytes per second.
    double seconds_at(double bandwidth) const { return ratio(double(bytes), bandwidth); }
    /// seconds_at() as a part of the measured time.
    double share_of(double bandwidth) const { return ratio(seconds_at(bandwidth), seconds); }
    /// The time of the conversion, in products.
    double conversion_in_products() const { return ratio(report.seconds, seconds); }

private:
    static double ratio(double a, double b) { return b > 0 ? a / b : 0; }
};

/// Not described: `options` and `report`, which are structs themselves.
template <class Visit, class... Like>
void describe(described<measured_format>, const Visit& visit, Like&... m)
{
    using namespace about;
    visit(field{"refused"}, m.refused...);
    visit(field{"bytes"}, m.bytes...);
    visit(field{"seconds"}, m.seconds...);
    visit(field{.name = "hash", .is_hash = true}, m.hash...);
}

/// Bytes per second that copy() reads and writes together, at a place, with vectors larger than any
/// cache (smaller ones if memory does not suffice).
double copy_bandwidth(place where, const measure_options& options = {});

/// The same with two vectors of `bytes` together, if that is less: the bandwidth of memory, or of
/// the cache that holds that much.
double copy_bandwidth_of(std::size_t bytes, place where, const measure_options& options = {});

/// y = A x, measured in the format that `a` is in.  Throws what spmv() throws, and input_error for
/// invalid options.
template <scalar T, scalar V>
requires acts_on<T, V> measured_format measure_product(const csr_matrix<V>& a, const vector<T>& x,
                                                       vector<T>& y,
                                                       const measure_options& options = {});

/// The same in another format, in which `a` is left.  If set_format() refuses, the result says why,
/// `a` is in csr, and y is unchanged.
template <scalar T, scalar V>
requires acts_on<T, V> measured_format measure_format(csr_matrix<V>& a,
                                                      const format_options& format,
                                                      const vector<T>& x, vector<T>& y,
                                                      const measure_options& options = {});

/// What tune() tries: each of the formats (of all, if none is named), crs_t with 1, 2, … 32 threads
/// a row.
std::vector<format_options> formats_to_try(const std::vector<sparse_format>& formats = {});

/// Throws internal_error, naming both, unless all products had the same bits.
void require_equal_hashes(const std::vector<measured_format>& formats);

/// What `watch` sees, before each format.
struct tune_progress {
    std::size_t tried, total;
    const format_options& next;
};

struct tune_options {
    /// Those to try; all of them if empty.  {sparse_format::crs_t} looks for its threads a row.
    std::vector<sparse_format> formats = {};
    measure_options measure = {};
    /// As format_options::memory_limit, for each of them.
    std::size_t memory_limit = 0;
    /// Called on the caller's thread; returning false ends the tuning.
    std::function<bool(const tune_progress&)> watch = {};
};

struct tuning {
    std::vector<measured_format> formats;    ///< in the order of formats_to_try()
    std::optional<measured_format> fastest;  ///< nothing if all were refused, or none was tried
    std::string reason;                      ///< why that one, in one sentence without a full stop
    double copy_bandwidth = 0;               ///< at the place of A, in the same run
    bool interrupted = false;
};

/// Try formats on y = A x in T, and leave `a` in the fastest; in plain csr if there is none.
/// Cost: for each format the conversion, and 0.02 seconds or a few products.
/// Throws internal_error if two formats give different bits.
template <scalar T, scalar V>
requires acts_on<T, V> tuning tune(csr_matrix<V>& a, const tune_options& options = {});

}  // namespace ddla
