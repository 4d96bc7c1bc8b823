// Several vectors of one size: a view of them in one piece of memory.
#pragma once

#include "ddla/views.hpp"

namespace ddla::steps {

/// Vector k begins k * words * apart doubles behind `first`; its words are `apart` doubles apart.
template <class T>
struct multivector {
    using value_type = std::remove_const_t<T>;
    using word_type = typename vec<T>::word_type;

    word_type* first = nullptr;
    index_t size = 0;   ///< of each vector
    index_t count = 0;  ///< of vectors
    index_t apart = 0;

    DDLA_HD vec<T> vector(index_t k) const
    {
        return vec<T>::in_memory(first + k * words_of<value_type> * apart, size, apart);
    }
};

/// Vectors begin at multiples of so many doubles, where loads of a warp are aligned.
inline constexpr index_t doubles_of_alignment = 32;

/// `count` vectors of n numbers, uninitialised, from `memory`.
template <class T, class Memory>
multivector<T> room_for_vectors(Memory& memory, index_t n, index_t count)
{
    const index_t apart =
        (n + doubles_of_alignment - 1) / doubles_of_alignment * doubles_of_alignment;
    return {memory.template objects<double>(count * words_of<T> * apart), n, count, apart};
}

}  // namespace ddla::steps
