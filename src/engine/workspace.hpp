// What one call allocates at a place, released at its end.
#pragma once

#include "ddla/vector.hpp"

#include <deque>

namespace ddla {

class workspace {
public:
    explicit workspace(place at) : place_(at) {}

    /// n numbers, uninitialised.
    template <scalar T>
    vec<T> room(index_t n)
    {
        double* const words = objects<double>(n * words_of<T>);
        return {words, words_of<T> == 2 ? words + n : nullptr, n};
    }
    template <class U>
    U* objects(index_t count)
    {
        buffers_.emplace_back(static_cast<std::size_t>(count) * sizeof(U), place_);
        return static_cast<U*>(buffers_.back().data());
    }

private:
    place place_;
    std::deque<buffer> buffers_;
};

}  // namespace ddla
