// Memory of solves that is kept from one to the next.
#pragma once

#include "factor/unfilled.hpp"

#include <mutex>

namespace ddla::factor {

/// The system clears the pages of new memory, which takes a tenth of a large solve.  Of solves at
/// the same time one keeps its memory.
class kept_room {
public:
    /// At least n elements without value.
    unfilled<double> take(std::size_t n)
    {
        unfilled<double> room;
        {
            const std::lock_guard alone(mutex_);
            room.swap(kept_);
        }
        if (room.size() < n) room = unfilled<double>(n);
        return room;
    }
    void give_back(unfilled<double> room)
    {
        const std::lock_guard alone(mutex_);
        if (room.size() > kept_.size()) kept_.swap(room);
    }

private:
    std::mutex mutex_;
    unfilled<double> kept_;
};

}  // namespace ddla::factor
