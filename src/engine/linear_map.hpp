// What operators and preconditioners are for an engine: y = A x at a place.
#pragma once

#include "ddla/place.hpp"
#include "ddla/views.hpp"

#include <memory>
#include <span>

namespace ddla {

class engine;

/// y = power A x, power a power of two.
template <scalar T>
struct map_product {
    vec<const T> x;
    double power;
    vec<T> y;
};

/// A map that works on one engine, and keeps between two calls what it needs there.
template <scalar T>
class bound_map {
public:
    virtual ~bound_map() = default;
    /// y = power A x, power a power of two.  On a device, enqueued.
    virtual void apply(vec<const T> x, double power, vec<T> y) = 0;
    /// The same for several vectors, bit by bit; no y is an x.  One after the other, unless a map
    /// can do more of them at once.
    virtual void apply_to_all(std::span<const map_product<T>> all)
    {
        for (const map_product<T>& one : all) apply(one.x, one.power, one.y);
    }
    /// Whether a product may be ended half-way (asked_loops): not where it is the caller's code.
    virtual bool may_be_ended() const { return false; }
};

template <scalar T>
class linear_map {
public:
    virtual ~linear_map() = default;
    virtual index_t rows() const = 0;
    virtual index_t columns() const = 0;
    virtual place where() const = 0;
    /// Whether apply() of a device may be called while its stream is being captured.
    virtual bool is_recordable() const = 0;
    /// On an engine at where(); the map must outlive it.
    virtual std::unique_ptr<bound_map<T>> bind(engine& here) const = 0;
};

}  // namespace ddla
