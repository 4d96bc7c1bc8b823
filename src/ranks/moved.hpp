// Elements that move from some ranges to others.
#pragma once

#include "ddla/communicator.hpp"
#include "ddla/vector.hpp"
#include "ranges.hpp"

#include <memory>
#include <vector>

namespace ddla::ranks {

/// The ranges of as many elements as each rank says that it has.  Every rank calls it.
ranges ranges_of(communicator& among, index_t mine);

/// The elements, of `bytes` each, of this rank's new range.  `mine` has those of the old one, and
/// `result` room.
void move_elements(communicator& among, const ranges& from, const ranges& to, std::size_t bytes,
                   const void* mine, void* result);

template <class U>
std::vector<U> moved(communicator& among, const ranges& from, const ranges& to,
                     const std::vector<U>& mine)
{
    std::vector<U> result(static_cast<std::size_t>(to.size(among.rank())));
    move_elements(among, from, to, sizeof(U), mine.data(), result.data());
    return result;
}

template <scalar T>
void move_numbers(communicator& among, const ranges& from, const ranges& to, vec<const T> mine,
                  vec<T> result)
{
    for (int k = 0; k < words_of<T>; ++k)
        move_elements(among, from, to, sizeof(double), mine.word(k), result.word(k));
}
template <scalar T>
vector<T> moved(communicator& among, const ranges& from, const ranges& to, vec<const T> mine)
{
    vector<T> result(to.size(among.rank()));
    move_numbers<T>(among, from, to, mine, result.view());
    return result;
}

/// How many elements each rank has for this one, where this one has `going` for each.
std::vector<index_t> counts_from_each(communicator& among, const std::vector<index_t>& going);

/// What one rank has, on all ranks.
template <class U>
std::vector<U> gathered(communicator& among, const U& mine)
{
    std::vector<U> all(static_cast<std::size_t>(among.size()));
    among.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)),
                     std::vector<std::size_t>(all.size(), sizeof(U)));
    return all;
}

}  // namespace ddla::ranks
