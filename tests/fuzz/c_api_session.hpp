// What a sequence of calls of ddla.h is made from: its bytes, and the handles that it holds.
#pragma once

#include "require.hpp"

#include <ddla.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace fuzz {

/// The bytes that are left; zeros behind the end.
class input {
public:
    input(const std::uint8_t* data, std::size_t size) : p_(data), end_(data + size) {}
    bool empty() const { return p_ == end_; }
    int byte() { return p_ == end_ ? 0 : *p_++; }
    /// From 0 to n - 1.
    int below(int n) { return byte() % n; }
    bool one_in(int n) { return byte() % n == n - 1; }
    double number()
    {
        constexpr std::array<double, 12> some{0,     1,    -1,        0.5,     3, 1e-20,
                                              1e300, -0.0, 0x1p-1074, 1.0 / 3, 7, -2.5};
        return some[static_cast<std::size_t>(below(12))];
    }
    ddla_dd pair() { return {number(), one_in(4) ? number() * 0x1p-60 : 0}; }

private:
    const std::uint8_t *p_, *end_;
};

template <class H>
class slots {
public:
    explicit slots(void (*destroy)(H*)) : destroy_(destroy) {}
    ~slots()
    {
        for (H* h : held_) destroy_(h);
        for (H* h : replaced_) destroy_(h);
    }
    slots(const slots&) = delete;
    slots& operator=(const slots&) = delete;
    H* get(input& in) { return held_[static_cast<std::size_t>(in.below(4))]; }
    /// A slot for a new handle; at times NULL, which is misuse.
    H** fresh(input& in)
    {
        if (in.one_in(32)) return nullptr;
        H*& h = held_[static_cast<std::size_t>(in.below(4))];
        replaced_.push_back(h);  // not destroyed yet: the call that fills the slot may read it
        h = nullptr;
        return &h;
    }

private:
    void (*destroy_)(H*);
    std::array<H*, 4> held_ = {};
    std::vector<H*> replaced_;
};

inline int apply(void* data, std::int64_t n, const double* x_hi, const double* x_lo, std::int64_t m,
                 double* y_hi, double* y_lo)
{
    auto& calls_left = *static_cast<int*>(data);
    if (--calls_left < 0) return 1;
    for (std::int64_t i = 0; i < m; ++i) {
        y_hi[i] = i < n ? 2 * x_hi[i] : 0;
        if (y_lo) y_lo[i] = i < n ? 2 * x_lo[i] : 0;
    }
    return 0;
}

inline int watch(void* data, const ddla_progress* progress)
{
    require(progress->size >= sizeof *progress && progress->stage);
    return --*static_cast<int*>(data) < 0;
}

/// What all calls share.
class session {
protected:
    session(const std::uint8_t* data, std::size_t size) : in_(data, size) {}

    static void check(ddla_status status)
    {
        require(ddla_status_name(status) != nullptr);
        require(status != DDLA_INTERNAL);
        require(status == DDLA_OK || *ddla_last_error() != '\0');
    }
    ddla_precision precision() { return in_.one_in(16) ? in_.byte() : 1 + in_.below(2); }
    ddla_place place() { return in_.one_in(32) ? -2 : DDLA_HOST; }
    /// The size field of a struct of so many bytes: at times too small.  (One that is larger than
    /// the struct is a lie that no library can see.)
    std::size_t size_of(std::size_t right)
    {
        return in_.one_in(16) ? static_cast<std::size_t>(in_.byte()) % right : right;
    }
    /// A size: mostly the same one, so that things fit together.
    std::int64_t small()
    {
        if (in_.one_in(32)) return -1 - in_.below(9);
        return in_.one_in(4) ? in_.below(9) : usual_;
    }

    input in_;
    std::int64_t usual_ = in_.below(9);
    int calls_left_ = 0;
    slots<ddla_vector> x_{ddla_vector_destroy};
    slots<ddla_matrix> a_{ddla_matrix_destroy};
    slots<ddla_operator> f_{ddla_operator_destroy};
    slots<ddla_preconditioner> k_{ddla_preconditioner_destroy};
    slots<ddla_factors> lu_{ddla_factors_destroy};
    slots<ddla_report> r_{ddla_report_destroy};
    slots<ddla_plan> p_{ddla_plan_destroy};
};

}  // namespace fuzz
