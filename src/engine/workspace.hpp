// Memory of one call, released at its end: on a device in stream order, so that work in flight may
// use it.
#pragma once

#include "ddla/views.hpp"
#include "storage/memory.hpp"

#include <vector>

namespace ddla {

class workspace {
public:
    explicit workspace(memory& source) : from_(source) {}
    workspace(const workspace&) = delete;
    workspace& operator=(const workspace&) = delete;
    ~workspace() { clear(); }

    /// n numbers, uninitialised.
    template <scalar T>
    vec<T> room(index_t n)
    {
        return vec<T>::in_memory(objects<double>(n * words_of<T>), n);
    }
    template <class U>
    U* objects(index_t count)
    {
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(U);
        if (bytes == 0) return nullptr;
        pieces_.reserve(pieces_.size() + 1);
        pieces_.push_back(from_.allocate(bytes));
        bytes_ += bytes;
        return static_cast<U*>(pieces_.back());
    }
    /// Releases everything, while the call continues.
    void clear()
    {
        for (void* const piece : pieces_) from_.release(piece);
        pieces_.clear();
    }
    /// The bytes of everything that was allocated.
    std::size_t bytes() const { return bytes_; }

private:
    memory& from_;
    std::vector<void*> pieces_;
    std::size_t bytes_ = 0;
};

}  // namespace ddla
