// What the values of a file lost when they were read.
//
//     ddla::read_losses lost;
//     auto a = ddla::read_matrix<double>("a.mtx", 0, &lost);
//     if (lost.underflowed > 0) std::cerr << lost.underflowed << " values became 0\n";
#pragma once

#include "describe.hpp"

#include <cstdint>

namespace ddla {

/// Numbers of a file, as they stand there: the parts of complex ones, one triangle of symmetric
/// matrices.
struct read_losses {
    /// Not zero in the file, but nearer to 0 than to any double.
    std::int64_t underflowed = 0;
    /// Others with fewer digits than in the file because no double is nearer to 0 than 4.9e-324:
    /// below 2.2e-308, in double-double below about 1e-292.
    std::int64_t subnormal = 0;
    /// Of vectors that are read in double: values whose file has more digits than their double,
    /// which printed with as many digits is another number.
    std::int64_t rounded = 0;

    read_losses& operator+=(const read_losses& other)
    {
        underflowed += other.underflowed;
        subnormal += other.subnormal;
        rounded += other.rounded;
        return *this;
    }
    friend bool operator==(const read_losses&, const read_losses&) = default;
};

template <class Visit, class... Like>
void describe(described<read_losses>, const Visit& visit, Like&... l)
{
    using namespace about;
    visit(field{.name = "underflowed", .json = "underflowed_values"}, l.underflowed...);
    visit(field{.name = "subnormal", .json = "subnormal_values"}, l.subnormal...);
    visit(field{.name = "rounded", .json = "rounded_values"}, l.rounded...);
}

}  // namespace ddla
