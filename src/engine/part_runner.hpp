// Runs programs part by part: on any backend, each of them in what a backend makes of a step.
#pragma once

#include "engine.hpp"
#include "steps/program.hpp"

#include <memory>
#include <tuple>

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
    }

    template <class... Parts>
    void run(const steps::program<Parts...>& all)
    {
        std::apply([&](const Parts&... part) { (run_part(part), ...); }, all.parts);
    }

private:
    void run_part(const steps::apply<T>& part)
    {
        auto& map = part.map == steps::linear::system ? *system_ : *preconditioner_;
        map.apply(part.in, part.power, part.out);
    }
    template <class Step>
    void run_part(const steps::once<Step>& part)
    {
        on_.run(part.step, 1);
    }
    template <class Step>
    void run_part(const Step& step)
    {
        on_.run(step, n_);
    }

    Backend& on_;
    index_t n_;
    std::unique_ptr<bound_map<T>> system_, preconditioner_;
};

}  // namespace ddla
