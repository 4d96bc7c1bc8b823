// A step over rows as one over elements, once its product is written.
#pragma once

#include "step.hpp"

namespace ddla::steps {

/// `product` holds row i of A times the operand of the step.
template <class Step>
struct after_product : Step {
    using T = typename decltype(Step::operand)::value_type;
    static constexpr over sweeps = over::elements;
    vec<const T> product;
    template <class Own>
    struct element {
        T product;
        Own own;
    };
    DDLA_HD auto own(index_t i) const { return element{product.get(i), Step::own(i)}; }
    template <class Own, class State>
    DDLA_HD auto operator()(index_t i, const element<Own>& at, const State& q) const
    {
        return Step::operator()(i, at.product, at.own, q);
    }
};

}  // namespace ddla::steps
