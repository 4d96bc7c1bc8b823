#include "placed_rows.hpp"

#include "ddla/sparse_format.hpp"

#include "calls/place_of.hpp"

namespace ddla::distributed {
namespace {

std::vector<index_t> boundary_rows_of(const rank_layout& a)
{
    std::vector<index_t> all;
    all.reserve(static_cast<std::size_t>(a.boundary_rows()));
    for_rows(a, [&](index_t i, bool is_boundary) {
        if (is_boundary) all.push_back(i);
    });
    return all;
}

/// In the format that suits the device, and looked at: once, for all solves.
template <scalar V>
csr_matrix<V> at_device(const csr_matrix<V>& a, place where)
{
    csr_matrix<V> there = a.to(where);
    set_format<dd_real>(there);
    api::look_at_values(device_engine(where.device_index), there);
    return there;
}

}  // namespace

product_lists::product_lists(const rank_layout& a, place where)
    : at(where), sends(ranks::sent_elements(a.halo(), where)),
      own_of_boundary(a.own_of_boundary(), where), boundary_rows(boundary_rows_of(a), where)
{
}

template <scalar V>
placed_rows<V>::placed_rows(std::shared_ptr<const rank_rows<V>> rows, place where)
    : rows_(std::move(rows)), lists_(std::make_shared<const product_lists>(*rows_->layout(), where))
{
    if (where.is_host()) return;
    interior_ = at_device(rows_->interior(), where);
    boundary_ = at_device(rows_->boundary(), where);
}

template class placed_rows<double>;
template class placed_rows<dd_real>;

}  // namespace ddla::distributed
