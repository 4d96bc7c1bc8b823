// Compressed rows of which so many threads share each: one storage, the arrays of the matrix, with
// a setting.  csr and the CRS formats of the papers are names of settings.
#pragma once

#include "ddla/sparse_format.hpp"

#include <optional>

namespace ddla::formats {

/// How many threads share a row.
enum class row_threads {
    balanced,  ///< as the backend likes: the schedule of a device
    one,
    by_rule,   ///< if the options give none: threads_by_rule()
    measured,  ///< if the options give none: the fastest (api::fastest_threads)
};

/// The setting that a format is; nothing for formats that store rows a second time.
constexpr std::optional<row_threads> row_threads_of(sparse_format format)
{
    switch (format) {
    case sparse_format::csr:
        return row_threads::balanced;
    case sparse_format::crs_scalar:
        return row_threads::one;
    case sparse_format::crs_vector:
        return row_threads::by_rule;
    case sparse_format::crs_t:
        return row_threads::measured;
    default:
        return {};
    }
}

/// Whether the fastest number of threads is still to be found.
constexpr bool wants_measuring(const format_options& o)
{
    return row_threads_of(o.format) == row_threads::measured && o.threads_per_row == 0;
}

/// The rule of Mukunoki and Takahashi (2013): max(1, min(32, 2^ceil(log2(mean row length)))).
inline int threads_by_rule(index_t entries, index_t rows)
{
    int threads = 1;
    while (threads < 32 && static_cast<index_t>(threads) * rows < entries) threads *= 2;
    return threads;
}

/// Threads that share a row in this setting; 0: balanced.
inline int threads_for(row_threads setting, int given, index_t entries, index_t rows)
{
    if (setting == row_threads::balanced) return 0;
    if (setting == row_threads::one) return 1;
    return given > 0 ? given : threads_by_rule(entries, rows);
}

}  // namespace ddla::formats
