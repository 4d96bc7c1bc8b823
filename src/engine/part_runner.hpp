// Runs programs part by part: on any backend, each of them in what a backend makes of a step.
#pragma once

#include "engine.hpp"
#include "steps/program_list.hpp"
#include "storage/asked_loops.hpp"

#include <memory>
#include <span>
#include <vector>

namespace ddla {

/// The maps of a solve on one engine, which must live as long, and the backend of the steps
/// between them.
template <scalar T, class Backend>
class part_runner {
public:
    using list = steps::program_list<T, Backend>;

    part_runner(engine& maps_on, Backend& steps_on, const program_request<T>& q)
        : on_(steps_on), n_(q.b.size), system_(q.system->bind(maps_on))
    {
        if (q.preconditioner) preconditioner_ = q.preconditioner->bind(maps_on);
        if (q.transposed) transposed_ = q.transposed->bind(maps_on);
    }

    /// Lists of one kind, each with vectors of its own: part by part, and products with one map
    /// together.
    void run(std::span<const list* const> all) { run_from(0, all); }
    /// Of iterations, whose first product may be ended (asked_loops) by interrupted_error: nothing
    /// has changed until then of what is read of a whole iteration.
    void run_iteration(std::span<const list* const> all)
    {
        std::size_t k = 0;
        for (; k < all.front()->size() && !(*all.front())[k].product(); ++k) run_part(all, k);
        if (k < all.front()->size() && map_of((*all.front())[k].product()->map).may_be_ended()) {
            const asked_loops first_product;
            run_part(all, k++);
        }
        run_from(k, all);
    }

private:
    void run_from(std::size_t k, std::span<const list* const> all)
    {
        for (; k < all.front()->size(); ++k) run_part(all, k);
    }
    void run_part(std::span<const list* const> all, std::size_t k)
    {
        if ((*all.front())[k].product())
            multiply(all, k);
        else
            for (const list* one : all) (*one)[k].run(on_, n_);
    }
    void multiply(std::span<const list* const> all, std::size_t k)
    {
        const steps::apply<T>& first = *(*all.front())[k].product();
        bound_map<T>& map = map_of(first.map);
        if (all.size() == 1) return map.apply(first.in, first.power, first.out);
        products_.clear();
        for (const list* one : all) {
            const steps::apply<T>& part = *(*one)[k].product();
            products_.push_back({part.in, part.power, part.out});
        }
        map.apply_to_all(products_);
    }
    bound_map<T>& map_of(steps::linear which)
    {
        switch (which) {
        case steps::linear::system:
            return *system_;
        case steps::linear::preconditioner:
            return *preconditioner_;
        case steps::linear::system_transposed:
            break;
        }
        return *transposed_;
    }

    Backend& on_;
    index_t n_;
    std::unique_ptr<bound_map<T>> system_, preconditioner_, transposed_;
    std::vector<map_product<T>> products_;
};

}  // namespace ddla
