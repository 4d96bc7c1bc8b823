// How large components are, in a list that copies share.
#pragma once

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace ddla::refine {

/// Empty: all are 1.  As long as x, and kept by factors, corrections, limits and norms alike.
class shared_scale {
public:
    shared_scale() = default;
    shared_scale(std::vector<double> scale)
        : scale_(std::make_shared<const std::vector<double>>(std::move(scale))),
          data_(scale_->data())
    {
    }
    shared_scale(std::initializer_list<double> scale) : shared_scale(std::vector<double>(scale)) {}

    bool empty() const { return !scale_ || scale_->empty(); }
    const double* data() const { return data_; }
    template <class I>
    double operator[](I i) const
    {
        return data_[i];
    }

private:
    std::shared_ptr<const std::vector<double>> scale_;
    const double* data_ = nullptr;
};

}  // namespace ddla::refine
