// Products with the rows of one rank: the interior while ghosts travel, then the boundary.
#pragma once

#include "placed_rows.hpp"

#include "engine/engine.hpp"

namespace ddla::distributed {

/// y = power A x.
template <scalar T, scalar V>
class rank_product final : public bound_map<T> {
public:
    /// `here`: an engine at the place of the parts.
    rank_product(const rank_layout& a, const product_lists& lists, const row_parts<V>& parts,
                 ranks::traffic& counted, engine& here)
        : a_(a), lists_(lists), here_(here),
          exchange_(a.halo(), lists.sends, counted, here, lists.at),
          interior_(here.matrices<T, V>().product(parts.interior)),
          boundary_(here.matrices<T, V>().product(parts.boundary))
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
            gathered_.emplace_back(a_.boundary_columns(), lists_.at);
            products_.emplace_back(a_.boundary_rows(), lists_.at);
        }
        of_boundary_.clear();
        vector_operations<T>& vectors = here_.vectors<T>();
        const index_t own = lists_.own_of_boundary.size();
        for (std::size_t j = 0; j < all.size(); ++j) {
            const vec<T> x = gathered_[j].view();
            vectors.gather(all[j].x, lists_.own_of_boundary.data(), x.part(0, own));
            exchange_.unpack(j, x.part(own, x.size - own));
            of_boundary_.push_back({x, all[j].power, products_[j].view()});
        }
        boundary_->apply_to_all(of_boundary_);
        for (std::size_t j = 0; j < all.size(); ++j)
            vectors.scatter(std::as_const(products_[j]).view(), lists_.boundary_rows.data(),
                            all[j].y);
    }

    const rank_layout& a_;
    const product_lists& lists_;
    engine& here_;
    ranks::halo_exchange<T> exchange_;
    std::unique_ptr<bound_map<T>> interior_, boundary_;
    std::vector<vec<const T>> x_;
    std::vector<vector<T>> gathered_, products_;
    std::vector<map_product<T>> of_boundary_;
};

/// r = scale (b - A x), see matrix_operations::scaled_residual.
template <scalar T, scalar V>
void rank_residual(const rank_layout& a, const product_lists& lists, const row_parts<V>& parts,
                   ranks::traffic& counted, engine& here, vec<const T> x, vec<const T> b,
                   double scale, vec<dd_real> r)
{
    auto& operations = here.matrices<T, V>();
    ranks::halo_exchange<T> exchange(a.halo(), lists.sends, counted, here, lists.at);
    exchange.start({&x, 1});
    operations.scaled_residual(parts.interior, x, b, scale, r);
    exchange.finish();
    if (a.boundary_tiles().empty()) return;
    const index_t own = lists.own_of_boundary.size();
    vector<T> gathered(a.boundary_columns(), lists.at), of_b(a.boundary_rows(), lists.at);
    vector<dd_real> of_r(a.boundary_rows(), lists.at);
    here.vectors<T>().gather(x, lists.own_of_boundary.data(), gathered.view().part(0, own));
    exchange.unpack(0, gathered.view().part(own, gathered.size() - own));
    here.vectors<T>().gather(b, lists.boundary_rows.data(), of_b.view());
    operations.scaled_residual(parts.boundary, std::as_const(gathered).view(),
                               std::as_const(of_b).view(), scale, of_r.view());
    here.vectors<dd_real>().scatter(std::as_const(of_r).view(), lists.boundary_rows.data(), r);
}

}  // namespace ddla::distributed
