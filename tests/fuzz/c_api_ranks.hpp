// Calls of ddla.h on the rows of a rank, of which there is one.
#pragma once

#include "c_api_streams.hpp"

#include <cstring>

namespace fuzz {

/// Its functions move what there is to move: nothing but to itself.
inline ddla_communicator one_rank()
{
    ddla_communicator ranks = {};
    ranks.size = sizeof ranks;
    ranks.ranks = 1;
    ranks.all_gather = [](void*, const void* mine, void* all, const std::size_t* bytes) {
        if (bytes[0] > 0) std::memcpy(all, mine, bytes[0]);
        return 0;
    };
    ranks.start_exchange = [](void*, std::size_t, const ddla_message*, std::size_t,
                              const ddla_message*) { return 0; };
    ranks.finish_exchange = [](void*) { return 0; };
    return ranks;
}

class rank_calls : protected stream_calls {
protected:
    using stream_calls::stream_calls;

    void on_ranks()
    {
        const ddla_communicator ranks = one_rank();
        const std::array<std::int64_t, 4> row_begin = {0, 1, 2, 3 - in_.one_in(16)},
                                          column = {0, 1, in_.below(4), 0};
        const std::array<double, 3> hi = {in_.number(), in_.number(), in_.number()};
        ddla_csr from;
        check(ddla_csr_init(&from, sizeof from));
        from.rows = from.columns = from.nonzeros = 3;
        from.row_begin = row_begin.data();
        from.column = column.data();
        from.row_begin_bits = from.column_bits = 64;
        from.hi = hi.data();
        ddla_distributed* a = nullptr;
        check(ddla_distributed_create(&ranks, &from, 3, in_.one_in(8) ? small() : 0, &a));
        ddla_distributed_size size = {};
        size.size = size_of(sizeof size);
        ddla_dd r;
        check(ddla_distributed_shape(a, &size));
        check(ddla_distributed_multiply(a, x_.get(in_), x_.get(in_)));
        check(ddla_distributed_multiply_transposed(a, x_.get(in_), x_.get(in_)));
        check(ddla_distributed_dot(a, x_.get(in_), x_.get(in_), &r));
        check(ddla_distributed_nrm2(a, x_.get(in_), in_.one_in(16) ? nullptr : &r));
        ddla_solve_options o;
        check(ddla_solve_options_init(&o, sizeof o));
        o.method = in_.below(10);
        o.max_iterations = 10;
        check(ddla_distributed_solve(a, x_.get(in_), x_.get(in_), &o, r_.fresh(in_)));
        ddla_distributed_destroy(a);
    }
};

}  // namespace fuzz
