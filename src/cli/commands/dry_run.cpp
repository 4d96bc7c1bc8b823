#include "dry_run.hpp"

#include "cli/shell/interrupt.hpp"
#include "sides.hpp"
#include "watched_solve.hpp"

#include "ddla/error.hpp"
#include "ddla/plan.hpp"

#include <iostream>

namespace ddla::cli {
namespace {

template <scalar T, scalar V>
told_plan plan_in(const solve_request& r, any_matrix<V>& a)
{
    const sides<T> s = read_sides<T>(r, a, nullptr);
    const csr_matrix<V>& m = a.numbers;
    const solve_options options = options_of(r, host, m.rows(), m.nonzeros());
    const preconditioner<T> none;
    told_plan told{precision_of<T>};
    if constexpr (words_of<T> == 2)
        if (s.four_words) {
            const auto& [high, low] = s.x_in_four_words.numbers;
            told.stages = plan_solve(m, s.b.numbers.front(), high, low, options);
            return told;
        }
    told.stages = plan_solve(m, none, s.b.numbers, s.x.numbers, options);
    return told;
}

template <scalar V>
void tell_plans(const solve_request& r)
{
    any_matrix<V> a = r.takes_any_matrix() ? read_noted<V>(r) : read_square<V>(r);
    std::vector<told_plan> plans;
    for (const precision in : r.precisions)
        in_precision(in, [&]<scalar T>() {
            if constexpr (acts_on<T, V>) plans.push_back(plan_in<T>(r, a));
        });
    print_plans(r, reported_of(r.matrix, a), plans);
}

}  // namespace

void print_plans(const solve_request& r, const reported_matrix& matrix,
                 const std::vector<told_plan>& plans)
{
    if (!r.quiet)
        std::cout << (r.json ? plan_json(r, matrix, plans) : plan_text(r, matrix, plans))
                  << std::flush;
}

exit_status tell_plan(const solve_request& r)
try {
    matrix_choices at_host = r;
    if (r.place == place_choice::automatic) at_host.place = place_choice::host;
    set_up(at_host);
    in_precision(r.values, [&]<scalar V>() { tell_plans<V>(r); });
    return exit_converged;
} catch (const input_error& e) {
    const std::string text = e.what(), file = r.matrix.string();
    if (text.starts_with(file) || !text.starts_with("solve: ")) throw;
    throw input_error(file + ": " + text);
}

}  // namespace ddla::cli
