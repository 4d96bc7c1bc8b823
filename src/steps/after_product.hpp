// A step over rows as one over elements, once its product is written.
#pragma once

#include "step.hpp"

namespace ddla::steps {

/// `product` holds row i of A times the operand of the step.
template <row_step Step>
struct after_product : Step {
    using T = operand_of_step<Step>;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = Step::has;
    vec<const T> product;
    struct element {
        T product;
        own_of<Step> own;
    };
    DDLA_HD auto reads() const { return fields<element>(product, Step::reads()); }
    template <class State>
    DDLA_HD auto operator()(index_t i, const element& own, const State& q) const
    {
        return Step::operator()(i, own.product, own.own, q);
    }
};
template <class Step, class Vector>
after_product(Step, Vector) -> after_product<Step>;

}  // namespace ddla::steps
