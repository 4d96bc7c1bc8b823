#include "options.hpp"

namespace ddla::c {
namespace {

ddla_factor_options default_factor_options()
{
    const factorisation_options d;
    ddla_factor_options o = {};
    o.factors = to_c(d.factors);
    o.ordering = to_c(d.ordering);
    o.scale = d.scale;
    o.match = d.match;
    o.most_work = d.most_work;
    o.most_memory = d.most_memory;
    return o;
}

ddla_preconditioner_options default_preconditioner_options()
{
    const preconditioner_options d;
    ddla_preconditioner_options o = {};
    o.fill = DDLA_USUAL_FILL;
    o.degree = d.degree;
    o.drop = d.drop;
    o.block_rows = d.block_rows;
    o.factors = to_c(d.factors);
    o.ordering = to_c(d.ordering);
    o.scale = d.scale;
    o.match = d.match;
    o.pivots = to_c(d.pivots);
    o.polynomial = to_c(d.polynomial);
    o.eigenvalue_ratio = d.eigenvalue_ratio;
    o.most_fill = d.most_fill;
    o.most_work = d.most_work;
    o.most_memory = d.most_memory;
    return o;
}

ddla_solve_options default_solve_options()
{
    const solve_options d;
    ddla_solve_options o = {};
    o.method = to_c(d.method);
    o.precond = to_c(d.precond);
    o.tolerance = DDLA_NOT_GIVEN;
    o.digits = DDLA_USUAL_DIGITS;
    o.max_iterations = d.max_iterations;
    o.restart = d.restart;
    o.check_every = d.check_every;
    o.l = d.l;
    o.s = d.s;
    return o;
}

ddla_check_options default_check_options()
{
    ddla_check_options o = {};
    o.digits = check_options().digits;
    return o;
}

}  // namespace

factorisation_options options_of(const ddla_factor_options* options)
{
    const ddla_factor_options o = given(options, default_factor_options(), "factorisation");
    factorisation_options to;
    to.factors = from_c<factor_precision>(o.factors, "factors");
    to.ordering = from_c<column_ordering>(o.ordering, "ordering");
    to.scale = o.scale;
    to.match = o.match;
    to.most_work = o.most_work;
    to.most_memory = o.most_memory;
    return to;
}

preconditioner_options options_of(const ddla_preconditioner_options* options)
{
    const ddla_preconditioner_options o =
        given(options, default_preconditioner_options(), "preconditioner");
    preconditioner_options to;
    if (o.fill != DDLA_USUAL_FILL) to.fill = o.fill;
    to.degree = o.degree;
    to.drop = o.drop;
    to.block_rows = o.block_rows;
    if (o.blocks_length < 0)
        throw misuse("blocks_length cannot be " + std::to_string(o.blocks_length));
    const int64_t* const blocks = required_array(o.blocks, o.blocks_length, "blocks");
    to.blocks.assign(blocks, blocks + o.blocks_length);
    to.factors = from_c<factor_precision>(o.factors, "factors");
    to.ordering = from_c<column_ordering>(o.ordering, "ordering");
    to.scale = o.scale;
    to.match = o.match;
    to.pivots = from_c<bad_pivot>(o.pivots, "pivots");
    to.polynomial = from_c<polynomial_kind>(o.polynomial, "polynomial");
    to.eigenvalue_ratio = o.eigenvalue_ratio;
    to.most_fill = o.most_fill;
    to.most_work = o.most_work;
    to.most_memory = o.most_memory;
    return to;
}

solve_options options_of(const ddla_solve_options* options)
{
    const ddla_solve_options o = given(options, default_solve_options(), "options");
    solve_options to;
    to.method = from_c<method>(o.method, "method");
    to.precond = from_c<preconditioning>(o.precond, "precond");
    if (o.tolerance != DDLA_NOT_GIVEN) to.tolerance = o.tolerance;
    if (o.digits != DDLA_USUAL_DIGITS) to.digits = o.digits;
    to.normwise = o.normwise;
    to.factorisation = options_of(o.factorisation);
    to.preconditioner = options_of(o.preconditioner);
    to.certify = o.certify;
    to.max_iterations = o.max_iterations;
    to.restart = o.restart;
    to.check_every = o.check_every;
    to.l = o.l;
    to.s = o.s;
    to.record_history = o.record_history;
    if (o.iterations_on < 0)
        throw misuse("iterations_on cannot be " + std::to_string(o.iterations_on));
    if (o.iterations_on > 0)
        to.place_of_iterations = [at = place_of(o.iterations_on - 1)] { return at; };
    to.watch = watch_of(o.watch, o.watch_data);
    return to;
}

check_options options_of(const ddla_check_options* options)
{
    const ddla_check_options o = given(options, default_check_options(), "options");
    check_options to;
    to.digits = o.digits;
    to.normwise = o.normwise;
    to.factorisation = options_of(o.factorisation);
    to.certify = o.certify;
    to.watch = watch_of(o.watch, o.watch_data);
    return to;
}

}  // namespace ddla::c

using namespace ddla::c;

extern "C" {

ddla_status ddla_factor_options_init(ddla_factor_options* options, size_t size)
{
    return init(default_factor_options(), options, size);
}

ddla_status ddla_preconditioner_options_init(ddla_preconditioner_options* options, size_t size)
{
    return init(default_preconditioner_options(), options, size);
}

ddla_status ddla_solve_options_init(ddla_solve_options* options, size_t size)
{
    return init(default_solve_options(), options, size);
}

ddla_status ddla_check_options_init(ddla_check_options* options, size_t size)
{
    return init(default_check_options(), options, size);
}
}
