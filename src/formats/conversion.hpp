// What all conversions use: steps, scratch for the call, and memory that the format keeps.
//
// Besides what every backend offers, the backend `Call::backend` has
//
//     exclusive_scan(x, n, memory)
//     sort(keys, values, n, bits, memory), sort_distinct(keys, n, bits, memory)
//     sort_pairs(keys, values, n, bits, memory), which keeps the keys (transpose.hpp)
//     distinct_values(values, most)
//     longest_list<V>(), the most columns of a list that its products support
#pragma once

#include "storage.hpp"
#include "storage/asked_loops.hpp"
#include "storage/memory.hpp"

#include "ddla/error.hpp"
#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <string>

namespace ddla::formats {

template <class Call, scalar V>
class conversion {
protected:
    conversion(Call& call, place where, const csr<V>& a, std::size_t memory_limit)
        : call_(call), at_(where), a_(a), memory_limit_(memory_limit)
    {
    }

    template <class Step>
    void each(const Step& step, index_t n)
    {
        count_work(tile_size * n);
        const loop_question question([] {
            count_work(operations_between_looks);
            return true;
        });
        const asked_loops none_of_it_is_kept((a_.rows + a_.nonzeros()) / std::max<index_t>(n, 1) +
                                             1);
        call_.backend.run(step, n);
    }
    template <class U>
    U* workspace(index_t count)
    {
        return call_.memory.template objects<U>(count);
    }
    template <class U>
    U* lasting(row_storage<V>& in, index_t count)
    {
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(U);
        // A system that gives more memory than it has would end the process later.
        const std::size_t most = memory_limit_ > 0 ? memory_limit_
                                 : at_.is_host()   ? bytes_of_machine()
                                                   : SIZE_MAX;
        if (in.bytes() + bytes > most)
            throw resource_error("it takes at least " + std::to_string(in.bytes() + bytes) +
                                 " bytes besides the compressed rows, " +
                                 (memory_limit_ > 0 ? std::to_string(most) + " are allowed"
                                                    : "the machine has " + std::to_string(most)));
        in.memory.emplace_back(bytes, at_);
        return static_cast<U*>(in.memory.back().data());
    }
    vec<V> lasting_vector(row_storage<V>& in, index_t n)
    {
        return vec<V>::in_memory(lasting<double>(in, n * words_of<V>), n);
    }
    /// Exclusive prefix sums of n counts, in place; count[n] becomes their total, which is
    /// returned.
    index_t total_of(index_t* count, index_t n)
    {
        call_.backend.write(count + n, index_t(0));
        call_.backend.exclusive_scan(count, n + 1, call_.memory);
        return call_.backend.read(count + n);
    }

    Call& call_;
    place at_;
    csr<V> a_;

private:
    std::size_t memory_limit_;
};

}  // namespace ddla::formats
