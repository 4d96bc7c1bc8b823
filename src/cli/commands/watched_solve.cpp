// A solve that shows its progress.
#include "watched_solve.hpp"

#include "cli/shell/text_format.hpp"

#include <algorithm>

namespace ddla::cli {
namespace {

/// Iterations between two polls of the clock and of Ctrl-C on the host, about a millisecond of work
/// without a preconditioner, which may take a hundred times as much; a device chooses itself.
std::int64_t looks_apart(index_t rows, index_t nonzeros)
{
    const index_t work = 2 * nonzeros + 20 * rows + 1;
    return std::clamp<index_t>(1'000'000 / work, 1, 32);
}

/// The options of factors hold for incomplete ones.  Automatic solves use incomplete ones where LU
/// passes its limits, which are then not theirs.
preconditioner_options building_of(const solve_request& r)
{
    preconditioner_options o = r.preconditioner;
    o.factors = r.factorisation.factors;
    o.ordering = r.factorisation.ordering;
    o.scale = r.factorisation.scale;
    o.match = r.factorisation.match;
    if (r.chooses_precond && r.used_precond() == preconditioning::ilu && !o.fill) o.fill = 2;
    if (!r.uses_factors()) {
        o.most_work = r.factorisation.most_work;
        o.most_memory = r.factorisation.most_memory;
    }
    return o;
}

}  // namespace

solve_options options_of(const solve_request& r, place where, index_t rows, index_t nonzeros)
{
    solve_options o = r;
    o.precond = r.used_precond();
    o.preconditioner = building_of(r);
    o.check_every = where.is_host() ? looks_apart(rows, nonzeros) : 0;
    return o;
}

std::string progress_text(precision in, const solve_progress& progress, double elapsed)
{
    const auto iterations = static_cast<long long>(progress.iterations);
    if (progress.stage != "iterate") {
        std::string text = std::string(name(in)) + ": " + std::string(progress.stage);
        if (progress.done >= 0) text += print(", %.0f %%", 100 * progress.done);
        return text + print(", %.0f s", elapsed);
    }
    return std::string(name(in)) + print(": iteration %lld, residual %s, %.0f iterations/s",
                                         iterations, scientific(progress.relative_residual).c_str(),
                                         static_cast<double>(iterations) / elapsed);
}

}  // namespace ddla::cli
