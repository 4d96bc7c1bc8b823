// The caller's code as an operator or a preconditioner: products with a matrix, at any place.
#pragma once

#include "ddla/preconditioner.hpp"
#include "ddla/stream.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace test {

/// y = M x on the host.
template <class T, class V>
ddla::host_function<T> product_on_host(const ddla::csr_matrix<V>& m)
{
    return [&m](ddla::vec<const T> x, ddla::vec<T> y) {
        ddla::stream on(ddla::host);
        ddla::spmv(on, T(1), m.view(), x, T(0), y);
    };
}

/// y = M x on the stream that ddla names.  What a recorded call uses lives as long as this.
template <class T, class V>
class product_on_device {
public:
    explicit product_on_device(const ddla::csr_matrix<V>& m)
        : m_(&m), streams_(std::make_shared<std::map<void*, ddla::stream>>())
    {
    }
    void operator()(void* stream, ddla::vec<const T> x, ddla::vec<T> y) const
    {
        const auto at = streams_->try_emplace(stream, m_->where(), stream).first;
        ddla::spmv(at->second, T(1), m_->view(), x, T(0), y);
    }

private:
    const ddla::csr_matrix<V>* m_;
    std::shared_ptr<std::map<void*, ddla::stream>> streams_;
};

/// M, at its place, by a function of that place.
template <class T, class V>
ddla::linear_operator<T> operator_by_function(const ddla::csr_matrix<V>& m)
{
    if (m.where().is_host())
        return ddla::linear_operator<T>(m.rows(), m.columns(), product_on_host<T>(m));
    return ddla::linear_operator<T>(m.rows(), m.columns(), m.where(), product_on_device<T, V>(m));
}
template <class T, class V>
ddla::preconditioner<T> preconditioner_by_function(const ddla::csr_matrix<V>& m)
{
    if (m.where().is_host()) return {"a product", m.rows(), product_on_host<T>(m)};
    return {"a product", m.rows(), m.where(), product_on_device<T, V>(m)};
}

}  // namespace test
