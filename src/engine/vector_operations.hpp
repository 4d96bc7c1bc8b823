// The vector operations, on any backend.
#pragma once

#include "engine.hpp"
#include "steps/norm.hpp"

namespace ddla {

/// `Context` makes a call: `on`, the backend, and `memory`, a workspace at its place.
template <class Context, scalar T>
class vector_operations_on final : public vector_operations<T> {
public:
    explicit vector_operations_on(Context context) : context_(context) {}

    T dot(vec<const T> x, vec<const T> y) override
    {
        return reduced<T>([&](T* sum) { return steps::dot<T>{{{{}, sum}}, x, y}; }, x.size);
    }
    T nrm2(vec<const T> x) override
    {
        auto c = context_.call();
        return steps::nrm2(c.on, x, c.memory.template objects<T>(1),
                           c.memory.template objects<steps::largest>(1));
    }
    T asum(vec<const T> x) override
    {
        return reduced<T>([&](T* sum) { return steps::asum<T>{{{{}, sum}}, x}; }, x.size);
    }
    void axpyz(T a, vec<const T> x, vec<const T> y, vec<T> z) override
    {
        with_scalar(
            a,
            [&](T* factor) {
                return steps::axpyz<T>{{{}, factor}, x, y, z};
            },
            x.size);
    }
    void scal(T a, vec<T> x) override
    {
        with_scalar(
            a,
            [&](T* factor) {
                return steps::scal<T>{{{}, factor}, x};
            },
            x.size);
    }
    void copy(vec<const T> x, vec<T> y) override
    {
        with_scalar(
            T(0),
            [&](T* unused) {
                return steps::copy<T>{{{}, unused}, x, y};
            },
            x.size);
    }
    double largest_magnitude(vec<const T> x) override
    {
        using steps::largest;
        return reduced<largest>(
                   [&](largest* most) {
                       return steps::largest_magnitude<T>{{}, most, x};
                   },
                   x.size)
            .value;
    }
    index_t first_not_finite(vec<const T> x) override
    {
        using steps::first_index;
        return reduced<first_index>(
                   [&](first_index* first) {
                       return steps::first_not_finite<T>{{}, first, x};
                   },
                   x.size)
            .value;
    }

private:
    /// Run the step that leaves its result in the memory it is given.
    template <class Result, class MakeStep>
    Result reduced(const MakeStep& make, index_t n)
    {
        auto c = context_.call();
        auto* const result = c.memory.template objects<Result>(1);
        c.on.write(result, Result{});
        c.on.run(make(result), n);
        return c.on.read(result);
    }
    template <class MakeStep>
    void with_scalar(T a, const MakeStep& make, index_t n)
    {
        auto c = context_.call();
        T* const scalar = c.memory.template objects<T>(1);
        c.on.write(scalar, a);
        c.on.run(make(scalar), n);
    }

    Context context_;
};

}  // namespace ddla
