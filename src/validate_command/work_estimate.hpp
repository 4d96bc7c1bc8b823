// What a factorisation in MPFR's numbers takes: memory and time, before it starts.
#pragma once

#include "reference.hpp"

namespace ddla::validate {

/// Of the factors.
struct work_counts {
    std::int64_t entries = 0, operations = 0;
};

/// Refuses work beyond the limits.
class work_estimate {
public:
    work_estimate(const reference_limits& limits, std::string file)
        : limits_(limits), file_(std::move(file))
    {
    }
    /// Counts by a factorisation in double: its pivots are mostly those of any precision.  Throws
    /// resource_error as soon as the counts exceed what the first two levels may take.
    work_counts count(const sparse_columns& a, const std::vector<column_t>& order,
                      const reference_guard& guard);
    /// Adds a level to the work; throws resource_error if that is too much.
    void add_level(const work_counts& counts, int bits);

    double seconds() const { return seconds_; }

private:
    void check(const work_counts& counts, int bits, double seconds, const std::string& where) const;
    [[noreturn]] void refuse(const std::string& what) const;

    reference_limits limits_;
    std::string file_;
    double seconds_ = 0;  ///< of all levels added
};

/// A number of these bits with its index, as memory is allocated.
std::size_t bytes_of_entry(int bits);
/// Measured on this machine, in a few milliseconds.
double seconds_of_operation(int bits);

}  // namespace ddla::validate
