// Matrices built by other threads while the device is busy.
#pragma once

#include "matrix_set.hpp"
#include "shape.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <thread>

namespace bench {

struct built_matrix {
    ddla::csr_matrix<double> matrix;
    matrix_shape shape;
};

/// Threads that build matrices: half of the processors, and not more than the memory bears.
inline std::size_t builders()
{
    return std::clamp(std::thread::hardware_concurrency() / 2, 1u, 8u);
}

class built_ahead {
public:
    /// So many at once: each may take 2 GB of the host's memory.
    built_ahead(std::vector<matrix_case> cases, std::size_t at_once)
        : cases_(std::move(cases)), at_once_(at_once)
    {
        start_some();
    }

    bool empty() const { return building_.empty(); }
    const matrix_case& front() const { return cases_[next_ - building_.size()]; }
    /// The matrix of front(), which it then leaves; or what was thrown in building it.
    built_matrix pop()
    {
        std::future<built_matrix> first = std::move(building_.front());
        building_.pop_front();
        first.wait();
        start_some();
        return first.get();
    }

private:
    void start_some()
    {
        for (; building_.size() < at_once_ && next_ < cases_.size(); ++next_)
            building_.push_back(std::async(std::launch::async, [build = cases_[next_].build] {
                ddla::csr_matrix<double> a = build();
                const matrix_shape shape = shape_of(a);
                return built_matrix{std::move(a), shape};
            }));
    }

    std::vector<matrix_case> cases_;
    std::size_t at_once_, next_ = 0;
    std::deque<std::future<built_matrix>> building_;
};

}  // namespace bench
