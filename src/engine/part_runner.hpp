// Runs programs part by part: on any backend, each of them in what a backend makes of a step.
#pragma once

#include "engine.hpp"
#include "steps/program.hpp"

#include <memory>
#include <tuple>
#include <vector>

namespace ddla {

/// The maps of a solve on one engine, which must live as long, and the backend of the steps
/// between them.
template <scalar T, class Backend>
class part_runner {
public:
    part_runner(engine& maps_on, Backend& steps_on, const program_request<T>& q)
        : on_(steps_on), n_(q.b.size), system_(q.system->on(maps_on))
    {
        if (q.preconditioner) preconditioner_ = q.preconditioner->on(maps_on);
        if (q.transposed) transposed_ = q.transposed->on(maps_on);
    }

    template <class... Parts>
    void run(const steps::program<Parts...>& all)
    {
        std::apply([&](const Parts&... part) { (run_part(part), ...); }, all.parts);
    }

    /// Programs of one kind, each with vectors of its own: part by part, and products with one map
    /// together.
    template <class Program>
    void run(const std::vector<const Program*>& all)
    {
        if (all.empty()) return;
        constexpr std::size_t count = std::tuple_size_v<decltype(Program::parts)>;
        run_in_order(all, std::make_index_sequence<count>{});
    }

private:
    template <class Program, std::size_t... k>
    void run_in_order(const std::vector<const Program*>& all, std::index_sequence<k...>)
    {
        (run_parts(parts_of<k>(all)), ...);
    }
    template <std::size_t k, class Program>
    static auto parts_of(const std::vector<const Program*>& all)
    {
        std::vector<const std::tuple_element_t<k, decltype(Program::parts)>*> parts;
        for (const Program* one : all) parts.push_back(&std::get<k>(one->parts));
        return parts;
    }
    void run_parts(const std::vector<const steps::apply<T>*>& all)
    {
        products_.clear();
        for (const auto* part : all) products_.push_back({part->in, part->power, part->out});
        map_of(all.front()->map).apply_to_all(products_);
    }
    template <class Program>
    void run_parts(const std::vector<const steps::several<Program>*>& all)
    {
        for (std::size_t i = 0; i < all.front()->each.size(); ++i) {
            std::vector<const Program*> programs;
            for (const auto* part : all) programs.push_back(&part->each[i]);
            run(programs);
        }
    }
    template <class Part>
    void run_parts(const std::vector<const Part*>& all)
    {
        for (const Part* part : all) run_part(*part);
    }

    void run_part(const steps::apply<T>& part)
    {
        map_of(part.map).apply(part.in, part.power, part.out);
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
    template <class Program>
    void run_part(const steps::several<Program>& part)
    {
        for (const Program& one : part.each) run(one);
    }
    template <class Step>
    void run_part(const steps::once<Step>& part)
    {
        on_.run(part.step, 1);
    }
    template <class Step>
    void run_part(const Step& step)
    {
        on_.run(step, steps::elements_of(step, n_));
    }

    Backend& on_;
    index_t n_;
    std::unique_ptr<bound_map<T>> system_, preconditioner_, transposed_;
    std::vector<map_product<T>> products_;
};

}  // namespace ddla
