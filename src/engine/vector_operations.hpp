// The vector operations, on any backend.
#pragma once

#include "engine.hpp"
#include "steps/pairs.hpp"
#include "steps/scaling.hpp"

namespace ddla {

/// `Context` makes a call: `on`, the backend, and `memory`, a workspace at its place.
template <class Context, scalar T>
class vector_operations_on final : public vector_operations<T> {
public:
    explicit vector_operations_on(Context context) : context_(context) {}

    void dot(vec<const T> x, vec<const T> y, T* result) override
    {
        auto c = context_.call();
        dot_in(c, x, y, result);
    }
    void nrm2(vec<const T> x, T* result) override
    {
        auto c = context_.call();
        nrm2_in(c, x, result);
    }
    void asum(vec<const T> x, T* result) override
    {
        auto c = context_.call();
        asum_in(c, x, result);
    }
    void axpyz(scalar_operand<T> a, vec<const T> x, vec<const T> y, vec<T> z) override
    {
        context_.call().backend.run(steps::axpyz<T>{{{}, a}, x, y, z}, x.size);
    }
    void scal(scalar_operand<T> a, vec<T> x) override
    {
        context_.call().backend.run(steps::scal<T>{{{}, a}, x}, x.size);
    }
    void copy(vec<const T> x, vec<T> y) override
    {
        context_.call().backend.run(steps::copy<T>{{}, x, y}, x.size);
    }
    void multiply(vec<const T> x, vec<const T> y, vec<T> z) override
    {
        context_.call().backend.run(steps::multiply<T>{{}, x, y, z}, x.size);
    }
    void gather(vec<const T> x, const index_t* from, vec<T> y) override
    {
        context_.call().backend.run(steps::gather<T>{{}, x, from, y}, y.size);
    }
    void scatter(vec<const T> x, const index_t* to, vec<T> y) override
    {
        context_.call().backend.run(steps::scatter<T>{{}, x, to, y}, x.size);
    }

    T dot(vec<const T> x, vec<const T> y) override
    {
        return returned([&](auto& c, T* result) { dot_in(c, x, y, result); });
    }
    T nrm2(vec<const T> x) override
    {
        return returned([&](auto& c, T* result) { nrm2_in(c, x, result); });
    }
    T asum(vec<const T> x) override
    {
        return returned([&](auto& c, T* result) { asum_in(c, x, result); });
    }
    double largest_magnitude(vec<const T> x) override
    {
        auto c = context_.call();
        return steps::largest_of(c.backend, c.memory, x);
    }
    index_t first_not_finite(vec<const T> x) override
    {
        auto c = context_.call();
        auto* const first = c.memory.template objects<steps::first_index>(1);
        c.backend.run(steps::first_not_finite<T>{{}, x, first, context_.first_element(x.size)},
                      x.size);
        return c.backend.read(first).value;
    }

private:
    template <class Call>
    static void dot_in(Call& c, vec<const T> x, vec<const T> y, T* result)
    {
        c.backend.run(steps::dot<T>{{{}, result}, x, y}, x.size);
    }
    template <class Call>
    static void nrm2_in(Call& c, vec<const T> x, T* result)
    {
        steps::nrm2(c.backend, x, result, c.backend.template small<steps::norm_state>());
    }
    template <class Call>
    static void asum_in(Call& c, vec<const T> x, T* result)
    {
        c.backend.run(steps::asum<T>{{{}, result}, x}, x.size);
    }
    /// What `enqueue` leaves in the memory that it is given.
    template <class Enqueue>
    T returned(const Enqueue& enqueue)
    {
        auto c = context_.call();
        T* const result = c.memory.template objects<T>(1);
        enqueue(c, result);
        return c.backend.read(result);
    }

    Context context_;
};

template <class Context>
class pair_operations_on final : public pair_operations {
public:
    explicit pair_operations_on(Context context) : context_(context) {}

    void interleave(vec<const dd_real> x, dd_pair* pairs) override
    {
        context_.call().backend.run(steps::interleave{{}, x, pairs}, x.size);
    }
    void split(const dd_pair* pairs, vec<dd_real> x) override
    {
        context_.call().backend.run(steps::split{{}, pairs, x}, x.size);
    }

private:
    Context context_;
};

}  // namespace ddla
