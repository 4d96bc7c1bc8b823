// The rows of one rank where its products are: on the host, or at a device.
#pragma once

#include "rank_rows.hpp"

#include <memory>
#include <vector>

namespace ddla::distributed {

/// What products do beside multiplying, as elements of this rank.
struct product_lists {
    product_lists(const rank_layout& a, place where);

    place at;
    std::vector<ranks::element_list> sends;  ///< to each neighbour
    ranks::element_list own_of_boundary;     ///< the first columns of the boundary
    ranks::element_list boundary_rows;
};

/// Entries, and these lists.  The entries on the host stay, for all that is not a product.
template <scalar V>
class placed_rows {
public:
    placed_rows(std::shared_ptr<const rank_rows<V>> rows, place where);

    place where() const { return lists_->at; }
    const std::shared_ptr<const rank_layout>& layout() const { return rows_->layout(); }
    const std::shared_ptr<const rank_rows<V>>& rows() const { return rows_; }
    const std::shared_ptr<const product_lists>& lists() const { return lists_; }
    row_parts<V> on_host() const { return rows_->parts(); }
    row_parts<V> parts() const
    {
        if (where().is_host()) return on_host();
        return {interior_.view(), boundary_.view()};
    }

private:
    std::shared_ptr<const rank_rows<V>> rows_;
    std::shared_ptr<const product_lists> lists_;
    csr_matrix<V> interior_, boundary_;  ///< at a device
};

}  // namespace ddla::distributed
