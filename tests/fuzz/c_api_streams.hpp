// Calls of ddla.h on memory of the caller, in the order of a stream.
#pragma once

#include "c_api_data.hpp"

namespace fuzz {

class stream_calls : protected data_calls {
protected:
    using data_calls::data_calls;

    void on_a_stream()
    {
        std::array<double, 10> hi = {1, 2, 3}, lo = {}, hi2 = {4, 5}, lo2 = {};
        const ddla_view x = view(hi, lo), y = in_.one_in(4) ? view(hi, lo) : view(hi2, lo2);
        const ddla_scalar s = {in_.pair(), nullptr}, zero = {{0, 0}, nullptr};
        ddla_stream* on = nullptr;
        ddla_dd r;
        check(ddla_stream_create(place(), nullptr, &on));
        check(ddla_stream_dot(on, x, y, &r));
        check(ddla_stream_axpy(on, s, x, y));
        check(ddla_stream_scal(on, s, x));
        check(ddla_stream_copy(on, x, y));
        check(ddla_stream_spmv(on, s, a_.get(in_), x, zero, y));
        ddla_solve_options o;
        check(ddla_solve_options_init(&o, sizeof o));
        o.method = DDLA_BICGSTAB;
        o.max_iterations = 10;
        check(ddla_stream_solve(on, a_.get(in_), x, y, &o, r_.fresh(in_)));
        ddla_stream_destroy(on);
    }

    void more_on_a_stream()
    {
        std::array<double, 10> hi = {1, 2, 3}, lo = {}, hi2 = {4, 5}, lo2 = {}, hi3 = {}, lo3 = {};
        const ddla_view x = view(hi, lo), y = view(hi2, lo2);
        const ddla_view z = in_.one_in(4) ? view(hi2, lo2) : view(hi3, lo3);
        alignas(16) std::array<ddla_dd, 10> pairs = {};
        alignas(16) std::array<double, 2> at = {};
        double* const to = in_.one_in(16) ? nullptr : at.data();
        const ddla_scalar s = {in_.pair(), in_.one_in(4) ? at.data() : nullptr};
        ddla_stream* on = nullptr;
        ddla_dd r;
        check(ddla_stream_create(place(), nullptr, &on));
        check(ddla_stream_nrm2(on, x, &r));
        check(ddla_stream_asum(on, x, in_.one_in(16) ? nullptr : &r));
        check(ddla_stream_dot_at(on, x, y, to));
        check(ddla_stream_nrm2_at(on, x, to));
        check(ddla_stream_asum_at(on, x, to));
        check(ddla_stream_wait(on));
        check(ddla_stream_axpyz(on, s, x, y, z));
        check(ddla_stream_xpay(on, x, s, y));
        check(ddla_stream_interleave(on, x, in_.one_in(16) ? nullptr : pairs.data()));
        check(ddla_stream_split(on, pairs.data(), z));
        check(ddla_stream_residual(on, a_.get(in_), x, y, z));
        check(ddla_stream_wait(on));
        ddla_stream_destroy(on);
    }

private:
    ddla_view view(std::array<double, 10>& h, std::array<double, 10>& l)
    {
        const int from = in_.below(3);
        return {h.data() + from, in_.one_in(3) ? nullptr : l.data() + from,
                std::min<std::int64_t>(small(), 10 - from)};
    }
};

}  // namespace fuzz
