// Sums over elements that several ranks share.
#pragma once

#include "ddla/views.hpp"

#include <cstddef>
#include <span>

namespace ddla {

/// A sum as bytes, and how terms of it are folded: in place of a template of each kind of sum.
struct summand {
    std::size_t bytes;
    /// *sum = the sum of `count` terms, at most 256, by the summation rule.
    void (*fold)(const std::byte* term, int count, std::byte* sum);
};

/// Completes sums of which this rank has the elements of its range alone.  Sums of one rank move to
/// the others, and each rank adds the same numbers in the order of the summation rule: all get the
/// same bits, those of one rank with all elements.
class shared_sums {
public:
    virtual ~shared_sums() = default;
    /// The number of the first element of this rank, of a vector of which it has n; how many there
    /// are on all ranks, of vectors like b.  Every rank calls it.
    virtual index_t first_element(index_t n) = 0;
    virtual index_t all_elements() const = 0;
    /// Whether it is so on any rank; the largest number of all.  Every rank calls them.
    virtual bool anywhere(bool here) = 0;
    virtual index_t largest(index_t here) = 0;
    /// part[j] has the sums of the tiles of `n` elements, those of this rank, of sum j; the sum of
    /// the elements of all ranks goes to its beginning.  Every rank calls it, for as many sums.
    virtual void complete(std::span<std::byte* const> part, index_t n, const summand& of) = 0;
};

}  // namespace ddla
