// Plans of solves.
#include "described.hpp"
#include "options.hpp"
#include "preconditioner_argument.hpp"

#include "ddla/plan.hpp"

using namespace ddla;
using namespace ddla::c;

struct ddla_plan {
    std::vector<planned_stage> stages;
    std::string json;  // made with them so that reading needs no lock
};

namespace {

/// Hands a plan over; *to is NULL until it is there.
template <scalar T>
void give_plan(ddla_plan** to, const reported_matrix& a, std::vector<planned_stage> stages,
               const solve_options& o, const std::string& precond)
{
    reported_plan told{std::move(stages), std::string(number_traits<T>::name)};
    std::string json = plan_json(a, o.method, precond, {told});
    *to = new ddla_plan{std::move(told.stages), std::move(json)};
}

}  // namespace

extern "C" {

ddla_status ddla_plan_solve(const ddla_matrix* a, const ddla_preconditioner* k,
                            const ddla_vector* b, const ddla_vector* x,
                            const ddla_solve_options* options, ddla_plan** plan)
{
    return guarded([&] {
        required(plan, "plan") = nullptr;
        const solve_options o = options_of(options);
        with_product(a, precision_of_vector(b, "b"), [&]<scalar T>(const auto& m) {
            const preconditioner<T> map = preconditioner_of<T>(k);
            give_plan<T>(plan, reported(m), plan_solve(m, map, in<T>(b, "b"), in<T>(x, "x"), o), o,
                         name_of(map, o));
        });
    });
}

ddla_status ddla_plan_solve_operator(const ddla_operator* a, const ddla_preconditioner* k,
                                     const ddla_vector* b, const ddla_vector* x,
                                     const ddla_solve_options* options, ddla_plan** plan)
{
    return guarded([&] {
        required(plan, "plan") = nullptr;
        const solve_options o = options_of(options);
        std::visit(
            [&]<scalar T>(const linear_operator<T>& f) {
                const preconditioner<T> map = preconditioner_of<T>(k);
                give_plan<T>(plan, {f.rows(), f.columns(), 0},
                             plan_solve(f, map, in<T>(b, "b"), in<T>(x, "x"), o), o,
                             name_of(map, o));
            },
            required(a, "a").map);
    });
}

ddla_status ddla_plan_solve_four_words(const ddla_matrix* a, const ddla_vector* b,
                                       const ddla_vector* x, const ddla_vector* x_low,
                                       const ddla_solve_options* options, ddla_plan** plan)
{
    return guarded([&] {
        required(plan, "plan") = nullptr;
        const solve_options o = options_of(options);
        with_matrix(a, "a", [&](const auto& m) {
            auto stages = plan_solve(m, in<dd_real>(b, "b"), in<dd_real>(x, "x"),
                                     in<dd_real>(x_low, "x_low"), o);
            give_plan<dd_real>(plan, reported(m), std::move(stages), o, "none");
        });
    });
}

ddla_status ddla_plan_length(const ddla_plan* plan, int32_t* stages)
{
    return guarded([&] {
        required(stages, "stages") = static_cast<int32_t>(required(plan, "plan").stages.size());
    });
}

ddla_status ddla_plan_stage(const ddla_plan* plan, int32_t k, ddla_planned_stage* stage)
{
    return guarded([&] {
        const planned_stage& s = numbered(required(plan, "plan").stages, k, "stage");
        auto to = fields_of<ddla_planned_stage>(s);
        to.work_is_at_most = s.work.is_at_most;
        to.bytes_are_at_most = s.bytes.is_at_most;
        hand_over(to, stage, "stage");
    });
}

ddla_status ddla_plan_json(const ddla_plan* plan, const char** json)
{
    return guarded([&] { required(json, "json") = required(plan, "plan").json.c_str(); });
}

void ddla_plan_destroy(ddla_plan* plan)
{
    delete plan;
}
}
