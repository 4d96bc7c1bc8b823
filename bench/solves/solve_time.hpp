// What an iteration of ddla::solve takes.
#pragma once

#include "ddla/solve.hpp"

namespace bench {

/// A system in both precisions, with the same numbers.
struct linear_system {
    const ddla::csr_matrix<double>& a;
    const ddla::vector<double>& b;
    const ddla::vector<ddla::dd_real>& b_dd;

    template <ddla::scalar T>
    const ddla::vector<T>& right_hand_side() const
    {
        if constexpr (ddla::words_of<T> == 2)
            return b_dd;
        else
            return b;
    }
};

/// A solve is read off its clock every so many iterations, three times: the first reading tells
/// when the start of the solve was over and all was set up, the others are samples.
inline constexpr int readings_of_clock = 3;
/// Iterations between two readings, and two looks: ddla's own interval on a device (but for small
/// systems, 512), or less, so that solves end before they break down or take too long.
inline constexpr int intervals[] = {32, 16, 8, 4};

struct iteration_time {
    int interval = 0;         ///< iterations that one sample is the time of
    int samples = 0;          ///< microseconds is their median
    double microseconds = 0;  ///< of an iteration, without the start of the solve
    /// Time of a whole solve, divided by its iterations.
    double with_start_microseconds = 0;
    std::size_t bytes = 0;  ///< that an iteration must move, see solve_report
    std::size_t peak_bytes = 0;
};

struct interval_choice {
    int interval = 0;          ///< one of intervals, or 0: no solve is long enough
    std::string limited_by{};  ///< what ended a solve that was to be longer, else empty
};

/// The longest interval of at most `most` iterations, and about so many seconds if that is finite,
/// with which solves from x = 0 do all their iterations in full.
template <ddla::scalar T>
interval_choice longest_interval(const linear_system& s, ddla::method m, int most, double seconds);

/// Solves from x = 0 whatever the residual: `solves` of them, and more until so many seconds have
/// passed.  Throws internal_error if one ends early.
template <ddla::scalar T>
iteration_time time_of_iteration(const linear_system& s, ddla::method m, int interval, int solves,
                                 double seconds);

}  // namespace bench
