// Products with the rows of one rank: the interior while ghosts travel, then the boundary.
#pragma once

#include "rank_rows.hpp"

#include "engine/engine.hpp"

namespace ddla::distributed {

/// y = power A x.
template <scalar T, scalar V>
class rank_product final : public bound_map<T> {
public:
    rank_product(const rank_layout& a, const row_parts<V>& parts, ranks::traffic& counted)
        : a_(a), exchange_(a.halo(), counted),
          interior_(host_engine().matrices<T, V>().product(parts.interior)),
          boundary_(host_engine().matrices<T, V>().product(parts.boundary))
    {
    }
    void apply(vec<const T> x, double power, vec<T> y) override
    {
        const map_product<T> only{x, power, y};
        apply_to_all({&only, 1});
    }
    void apply_to_all(std::span<const map_product<T>> all) override
    {
        x_.clear();
        for (const map_product<T>& one : all) x_.push_back(one.x);
        exchange_.start(x_);
        interior_->apply_to_all(all);
        exchange_.finish();
        multiply_boundary(all);
    }

private:
    void multiply_boundary(std::span<const map_product<T>> all)
    {
        if (a_.boundary_tiles().empty()) return;
        while (gathered_.size() < all.size()) {
            gathered_.emplace_back(a_.boundary_columns());
            products_.emplace_back(a_.boundary_rows());
        }
        of_boundary_.clear();
        const auto own = static_cast<index_t>(a_.own_of_boundary().size());
        for (std::size_t j = 0; j < all.size(); ++j) {
            const vec<T> x = gathered_[j].view();
            gather_for_boundary<T>(a_, all[j].x, x);
            exchange_.unpack(j, x.part(own, x.size - own));
            of_boundary_.push_back({x, all[j].power, products_[j].view()});
        }
        boundary_->apply_to_all(of_boundary_);
        for (std::size_t j = 0; j < all.size(); ++j)
            put_boundary<T>(a_, std::as_const(products_[j]).view(), all[j].y);
    }

    const rank_layout& a_;
    ranks::halo_exchange<T> exchange_;
    std::unique_ptr<bound_map<T>> interior_, boundary_;
    std::vector<vec<const T>> x_;
    std::vector<vector<T>> gathered_, products_;
    std::vector<map_product<T>> of_boundary_;
};

/// r = scale (b - A x), see matrix_operations::scaled_residual.
template <scalar T, scalar V>
void rank_residual(const rank_layout& a, const row_parts<V>& parts, ranks::traffic& counted,
                   vec<const T> x, vec<const T> b, double scale, vec<dd_real> r)
{
    auto& operations = host_engine().matrices<T, V>();
    ranks::halo_exchange<T> exchange(a.halo(), counted);
    exchange.start({&x, 1});
    operations.scaled_residual(parts.interior, x, b, scale, r);
    exchange.finish();
    if (a.boundary_tiles().empty()) return;
    const auto own = static_cast<index_t>(a.own_of_boundary().size());
    vector<T> gathered(a.boundary_columns()), b_of_boundary(a.boundary_rows());
    vector<dd_real> r_of_boundary(a.boundary_rows());
    gather_for_boundary<T>(a, x, gathered.view());
    exchange.unpack(0, gathered.view().part(own, gathered.size() - own));
    take_boundary<T>(a, b, b_of_boundary.view());
    operations.scaled_residual(parts.boundary, std::as_const(gathered).view(),
                               std::as_const(b_of_boundary).view(), scale, r_of_boundary.view());
    put_boundary<dd_real>(a, std::as_const(r_of_boundary).view(), r);
}

}  // namespace ddla::distributed
