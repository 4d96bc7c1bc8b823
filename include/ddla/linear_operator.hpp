// Linear operators as objects: a matrix, or what the caller's code does.
//
//     ddla::linear_operator<ddla::dd_real> a(n, n, [&](auto x, auto y) { stencil(x, y); });
//     ddla::solve_report report = ddla::solve(a, b, x, {.method = ddla::method::fgmres});
#pragma once

#include "csr_matrix.hpp"

#include <functional>

namespace ddla {

template <scalar T>
class linear_map;
template <scalar T>
class system_map;

/// y = A x on the host, done on return.  It must not keep the views, nor write x.
template <scalar T>
using host_function = std::function<void(vec<const T> x, vec<T> y)>;
/// y = A x at a device: enqueues work on `stream`, a cudaStream_t of that device, and returns.
template <scalar T>
using device_function = std::function<void(void* stream, vec<const T> x, vec<T> y)>;

/// Whether a device function may be recorded.
enum class recording {
    /// It only enqueues, as in a stream capture, and always the same work for the same views: an
    /// iteration is recorded as a CUDA graph, and the function is not called again for each.
    allowed,
    refused,  ///< it is called in every iteration, also in a few after the end of the solve
};

/// A linear map from vectors of `columns` to vectors of `rows` numbers.  Cheap to copy.
template <scalar T>
class linear_operator {
public:
    /// Of a matrix, by reference: it must outlive the operator, and neither move nor change its
    /// place.  Products are those of spmv, in the format that the matrix has when they are made.
    template <scalar V>
    requires acts_on<T, V>
    explicit linear_operator(const csr_matrix<V>& a);
    template <scalar V>
    explicit linear_operator(csr_matrix<V>&& a) = delete;
    /// Of a shared matrix.
    template <scalar V>
    requires acts_on<T, V>
    explicit linear_operator(std::shared_ptr<const csr_matrix<V>> a);
    /// Of code for the host.  A solve at a device copies x to the host and y back for each product,
    /// and records no graph.  Exceptions of the function pass through a solve.
    linear_operator(index_t rows, index_t columns, host_function<T> function);
    /// Of code for a device.
    linear_operator(index_t rows, index_t columns, place device, device_function<T> function,
                    recording graphs = recording::allowed);

    index_t rows() const { return rows_; }
    index_t columns() const { return columns_; }
    place where() const { return where_; }

    /// y = A x, at where().  Throws input_error for sizes and places that do not fit.
    void apply(const vector<T>& x, vector<T>& y) const;

    /// For ddla's own use: the map for vectors at a place.  Throws input_error if it cannot be
    /// applied there.
    std::shared_ptr<const system_map<T>> system_at(place where) const;

private:
    index_t rows_, columns_;
    place where_;
    std::function<std::shared_ptr<const system_map<T>>(place)> make_;
};

extern template class linear_operator<double>;
extern template class linear_operator<dd_real>;

}  // namespace ddla
