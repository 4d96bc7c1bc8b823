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
        if (q.transposed) transposed_ = q.transposed->on(maps_on);
    }

    template <class... Parts>
    void run(const steps::program<Parts...>& all)
    {
        std::apply([&](const Parts&... part) { (run_part(part), ...); }, all.parts);
    }

private:
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
};

}  // namespace ddla
