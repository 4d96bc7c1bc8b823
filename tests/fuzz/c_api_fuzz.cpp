// Any bytes are a sequence of calls of ddla.h: each gives a status, and where it failed a sentence.
//
// Handles live in a few slots each; a call takes those that its bytes name, also empty ones (NULL).
// Sizes, numbers of enumerators and size fields are any small number, most of them valid.  All
// functions of ddla.h are called but ddla_matrix_tune, which measures times; bindings_c_names sees
// to that.
#include "c_api_ranks.hpp"

namespace {

using namespace fuzz;

constexpr std::array<std::int64_t, 4> blocks{0, 1, 3, 2};

class calls : rank_calls {
public:
    calls(const std::uint8_t* data, std::size_t size) : rank_calls(data, size) {}

    void run()
    {
        for (int n = 0; n < 100 && !in_.empty(); ++n) {
            calls_left_ = 40;
            (this->*steps[static_cast<std::size_t>(in_.below(std::size(steps)))])();
        }
    }

private:
    void new_vector() { check(ddla_vector_create(precision(), small(), place(), x_.fresh(in_))); }
    void fill() { check(ddla_vector_fill(x_.get(in_), in_.pair())); }
    void set_vector()
    {
        ddla_vector* const x = x_.get(in_);
        std::int64_t n = 0;
        check(ddla_vector_size(x, &n));
        // Room for its elements and for those of the wrong sizes that are named at times.
        const auto room = static_cast<std::size_t>(std::max<std::int64_t>(n, 16));
        std::vector<ddla_dd> pairs(room);
        for (ddla_dd& p : pairs) p = in_.pair();
        std::vector<double> hi(room), lo(room);
        if (in_.one_in(8)) n = small();
        check(ddla_vector_set_pairs(x, n, pairs.data()));
        check(ddla_vector_get_words(x, n, hi.data(), in_.one_in(2) ? nullptr : lo.data()));
        check(ddla_vector_get_pairs(x, n, in_.one_in(16) ? nullptr : pairs.data()));
    }
    void copy_vector() { check(ddla_vector_copy_to(x_.get(in_), place(), x_.fresh(in_))); }

    void new_matrix()
    {
        constexpr std::size_t most = 24;
        std::array<std::int64_t, 10> row_begin = {};
        std::array<std::int64_t, most> column = {};
        std::array<double, most> hi = {}, lo = {};
        ddla_csr from;
        check(ddla_csr_init(&from, sizeof from));
        from.size = size_of(sizeof from);
        from.rows = from.columns = small();
        from.index_base = in_.one_in(4);
        const auto rows = static_cast<std::size_t>(std::max<std::int64_t>(from.rows, 0));
        std::size_t entries = 0;
        for (std::size_t i = 0; i <= rows; ++i) {
            row_begin[i] = static_cast<std::int64_t>(entries) + from.index_base;
            if (i < rows) entries = std::min(most, entries + std::size_t(in_.below(4)));
        }
        if (in_.one_in(16)) row_begin[std::size_t(in_.below(10))] = in_.byte() - 100;
        for (std::size_t k = 0; k < entries; ++k) {
            column[k] = in_.below(9) + from.index_base - in_.one_in(64);
            hi[k] = in_.number();
            lo[k] = hi[k] * 0x1p-60;
        }
        from.nonzeros = static_cast<std::int64_t>(entries);
        from.row_begin = row_begin.data();
        from.column = column.data();
        from.row_begin_bits = from.column_bits = in_.one_in(32) ? 32 : 64;
        from.hi = hi.data();
        if (in_.one_in(2)) from.lo = lo.data();
        check(ddla_matrix_create(&from, place(), a_.fresh(in_)));
    }
    void generate() { check(ddla_generate_toeplitz(small(), in_.number(), a_.fresh(in_))); }
    void matrix_work()
    {
        switch (in_.below(6)) {
        case 0:
            return check(ddla_matrix_transpose(a_.get(in_), a_.fresh(in_)));
        case 1:
            return check(ddla_matrix_widen(a_.get(in_), a_.fresh(in_)));
        case 2:
            return check(ddla_matrix_diagonal(a_.get(in_), x_.fresh(in_)));
        case 3: {
            ddla_format_options o = {size_of(sizeof o), in_.below(11), 0, 0};
            return check(ddla_matrix_set_format(a_.get(in_), precision(), &o, nullptr));
        }
        case 4: {
            ddla_matrix_info info;
            info.size = size_of(sizeof info);
            return check(ddla_matrix_inspect(a_.get(in_), &info));
        }
        default:
            return check(ddla_matrix_copy_to(a_.get(in_), place(), a_.fresh(in_)));
        }
    }

    void reduce()
    {
        ddla_dd r;
        check(ddla_dot(x_.get(in_), x_.get(in_), &r));
        check(ddla_nrm2(x_.get(in_), &r));
        check(ddla_asum(x_.get(in_), in_.one_in(16) ? nullptr : &r));
    }
    void update()
    {
        check(ddla_axpy(in_.pair(), x_.get(in_), x_.get(in_)));
        check(ddla_axpyz(in_.pair(), x_.get(in_), x_.get(in_), x_.get(in_)));
        check(ddla_xpay(x_.get(in_), in_.pair(), x_.get(in_)));
        check(ddla_scal(in_.pair(), x_.get(in_)));
        check(ddla_copy(x_.get(in_), x_.get(in_)));
    }
    void product()
    {
        check(ddla_spmv(in_.pair(), a_.get(in_), x_.get(in_), in_.pair(), x_.get(in_)));
        check(ddla_spmv_transposed(in_.pair(), a_.get(in_), x_.get(in_), in_.pair(), x_.get(in_)));
        check(ddla_residual(a_.get(in_), x_.get(in_), x_.get(in_), x_.get(in_)));
        ddla_dd norm, norm_of_b;
        double relative = 0;
        check(ddla_true_residual(a_.get(in_), x_.get(in_), x_.get(in_), &norm, &norm_of_b,
                                 in_.one_in(16) ? nullptr : &relative));
    }

    void new_map()
    {
        switch (in_.below(10)) {
        case 0:
            return check(ddla_operator_create(precision(), small(), small(), apply, &calls_left_,
                                              f_.fresh(in_)));
        case 1:
            return check(ddla_operator_create_matrix(a_.get(in_), precision(), f_.fresh(in_)));
        case 2:
            return check(
                ddla_preconditioner_create_jacobi(a_.get(in_), precision(), k_.fresh(in_)));
        case 3:
            return check(ddla_preconditioner_create(precision(), nullptr, small(), apply,
                                                    &calls_left_, k_.fresh(in_)));
        case 4:
            return check(
                ddla_preconditioner_create_lu(lu_.get(in_), precision(), place(), k_.fresh(in_)));
        case 5:
            return build_preconditioner();
        case 6:
            return check(ddla_preconditioner_create_none(precision(), k_.fresh(in_)));
        case 7:
            return on_device();
        case 8:
            return look_at_preconditioner();
        default:
            return check(ddla_operator_apply(f_.get(in_), x_.get(in_), x_.get(in_)));
        }
    }
    /// None is there, or none is ever asked to compute: all vectors are on the host.
    void on_device()
    {
        const auto function = [](void*, void*, std::int64_t, const double*, const double*,
                                 std::int64_t, double*, double*) { return 1; };
        const ddla_place at = in_.below(3) - 1;
        check(ddla_operator_create_on_device(precision(), small(), small(), at, function,
                                             &calls_left_, in_.one_in(2), f_.fresh(in_)));
        check(ddla_preconditioner_create_on_device(precision(), "own", small(), at, function,
                                                   &calls_left_, in_.one_in(2), k_.fresh(in_)));
    }
    void look_at_preconditioner()
    {
        ddla_preconditioner* const k = k_.get(in_);
        ddla_build_report built;
        built.size = size_of(sizeof built);
        check(ddla_preconditioner_set_symmetric_positive(k, 1));
        check(ddla_preconditioner_built(k, &built));
        check(ddla_preconditioner_apply(k, x_.get(in_), x_.get(in_)));
    }
    ddla_preconditioner_options building()
    {
        ddla_preconditioner_options o;
        check(ddla_preconditioner_options_init(&o, sizeof o));
        o.size = size_of(sizeof o);
        o.fill = in_.below(4) - 1;
        o.degree = in_.below(5);
        if (in_.one_in(4)) o.drop = in_.number();
        if (in_.one_in(4)) o.blocks = blocks.data(), o.blocks_length = in_.below(4);
        o.ordering = in_.below(6);
        o.pivots = in_.below(2);
        o.polynomial = in_.below(2);
        if (in_.one_in(8)) o.eigenvalue_ratio = in_.number();
        if (in_.one_in(8)) o.most_fill = in_.number();
        return o;
    }
    void build_preconditioner()
    {
        const ddla_preconditioner_options o = building();
        check(ddla_preconditioner_create_matrix(a_.get(in_), precision(), in_.below(9), &o,
                                                k_.fresh(in_)));
    }
    ddla_factor_options factoring()
    {
        ddla_factor_options o;
        check(ddla_factor_options_init(&o, sizeof o));
        o.size = size_of(sizeof o);
        o.factors = in_.below(4);
        o.ordering = in_.below(7);
        o.scale = in_.below(3), o.match = in_.below(3);
        if (in_.one_in(8)) o.most_work = in_.number();
        if (in_.one_in(8)) o.most_memory = in_.below(200) - 1;
        return o;
    }
    void factors()
    {
        std::int32_t done;
        ddla_factor_report about;
        const ddla_factor_options o = factoring();
        switch (in_.below(5)) {
        case 0:
            return check(ddla_factors_create(a_.get(in_), precision(), in_.one_in(2) ? &o : nullptr,
                                             lu_.fresh(in_)));
        case 3:
            about.size = size_of(sizeof about);
            return check(ddla_factors_about(lu_.get(in_), &about));
        case 1:
            return check(ddla_factors_solve(lu_.get(in_), x_.get(in_), x_.get(in_)));
        case 2:
            return check(ddla_factors_solve_transposed(lu_.get(in_), x_.get(in_), x_.get(in_)));
        default:
            return check(ddla_factors_refactor(lu_.get(in_), a_.get(in_), &done));
        }
    }

    ddla_solve_options solving(const ddla_preconditioner_options& k, const ddla_factor_options& lu)
    {
        ddla_solve_options o;
        check(ddla_solve_options_init(&o, sizeof o));
        o.size = size_of(sizeof o);
        o.method = in_.below(11);
        o.precond = in_.below(9);
        o.l = in_.one_in(16) ? 0 : 1 + in_.below(4);
        o.s = in_.one_in(16) ? 0 : 1 + in_.below(4);
        if (in_.one_in(4)) o.tolerance = in_.number();
        if (in_.one_in(8)) o.digits = in_.below(70) - 1;
        o.max_iterations = in_.below(40);
        o.restart = in_.one_in(16) ? 0 : 1 + in_.below(6);
        o.record_history = in_.one_in(2);
        if (in_.one_in(4)) o.preconditioner = &k;
        if (in_.one_in(4)) o.factorisation = &lu;
        o.certify = in_.one_in(4);
        if (in_.one_in(4)) o.watch = watch, o.watch_data = &calls_left_;
        return o;
    }
    void solve()
    {
        const ddla_preconditioner_options k_options = building();
        const ddla_factor_options lu_options = factoring();
        const ddla_solve_options o = solving(k_options, lu_options);
        ddla_preconditioner* const k = in_.one_in(2) ? k_.get(in_) : nullptr;
        if (in_.one_in(4)) return plan(k, o);
        ddla_report** const r = r_.fresh(in_);
        switch (in_.below(4)) {
        case 0:
            return check(ddla_solve(a_.get(in_), k, x_.get(in_), x_.get(in_), &o, r));
        case 1:
            return check(ddla_solve_operator(f_.get(in_), k, x_.get(in_), x_.get(in_), &o, r));
        case 2:
            return check(
                ddla_solve_four_words(a_.get(in_), x_.get(in_), x_.get(in_), x_.get(in_), &o, r));
        default:
            return check(
                ddla_solve_factors(a_.get(in_), lu_.get(in_), x_.get(in_), x_.get(in_), &o, r));
        }
    }
    void plan(const ddla_preconditioner* k, const ddla_solve_options& o)
    {
        ddla_plan** const p = p_.fresh(in_);
        if (in_.one_in(3))
            check(ddla_plan_solve_operator(f_.get(in_), k, x_.get(in_), x_.get(in_), &o, p));
        else if (in_.one_in(2))
            check(ddla_plan_solve_four_words(a_.get(in_), x_.get(in_), x_.get(in_), x_.get(in_), &o,
                                             p));
        else
            check(ddla_plan_solve(a_.get(in_), k, x_.get(in_), x_.get(in_), &o, p));
        const ddla_plan* const made = p_.get(in_);
        std::int32_t length = 0;
        check(ddla_plan_length(made, &length));
        ddla_planned_stage stage = {};
        stage.size = size_of(sizeof stage);
        check(ddla_plan_stage(made, in_.below(9) - 1, &stage));
        const char* json = nullptr;
        check(ddla_plan_json(made, &json));
    }
    void several()
    {
        const std::array<const ddla_vector*, 3> b{x_.get(in_), x_.get(in_), x_.get(in_)};
        const std::array<ddla_vector*, 3> x{x_.get(in_), x_.get(in_), x_.get(in_)};
        const std::int64_t count = in_.below(4) - (in_.one_in(32) ? 4 : 0);
        check(ddla_spmv_several(in_.pair(), a_.get(in_), count, b.data(), in_.pair(),
                                in_.one_in(32) ? nullptr : x.data()));
        const ddla_preconditioner_options k_options = building();
        const ddla_factor_options lu_options = factoring();
        const ddla_solve_options o = solving(k_options, lu_options);
        std::array<ddla_report*, 3> reports = {};
        check(ddla_solve_several(a_.get(in_), in_.one_in(2) ? k_.get(in_) : nullptr, count,
                                 b.data(), x.data(), &o, in_.one_in(2) ? reports.data() : nullptr));
        for (ddla_report* const r : reports) ddla_report_destroy(r);
    }
    void check_x()
    {
        ddla_check_options o;
        const ddla_factor_options lu_options = factoring();
        check(ddla_check_options_init(&o, sizeof o));
        o.size = size_of(sizeof o);
        o.digits = in_.below(70) - 1;
        o.normwise = in_.one_in(2);
        o.certify = in_.one_in(4);
        if (in_.one_in(4)) o.factorisation = &lu_options;
        if (in_.one_in(4)) o.watch = watch, o.watch_data = &calls_left_;
        const ddla_check_options* const options = in_.one_in(4) ? nullptr : &o;
        if (in_.one_in(2))
            check(ddla_check_four_words(a_.get(in_), x_.get(in_), x_.get(in_), x_.get(in_), options,
                                        r_.fresh(in_)));
        else
            check(ddla_check(a_.get(in_), x_.get(in_), x_.get(in_), options, r_.fresh(in_)));
    }
    void read_report()
    {
        const ddla_report* const r = r_.get(in_);
        ddla_solve_summary s;
        ddla_check_summary c;
        ddla_stage stage;
        ddla_error_estimates e;
        ddla_rank rank;
        ddla_traffic ranks;
        ddla_build_report built;
        ddla_component component;
        const char *json = nullptr, *name = nullptr;
        s.size = size_of(sizeof s);
        c.size = sizeof c, stage.size = sizeof stage, e.size = sizeof e;
        ranks.size = size_of(sizeof ranks);
        rank.size = size_of(sizeof rank), component.size = sizeof component;
        if (ddla_report_summary(r, &s) == DDLA_OK) require(ddla_solve_status_name(s.status));
        check(ddla_report_check(r, &c));
        check(ddla_report_stage(r, in_.below(6) - 1, &stage));
        check(ddla_report_errors(r, &e));
        check(ddla_report_rank(r, &rank));
        check(ddla_report_traffic(r, &ranks));
        built.size = size_of(sizeof built);
        check(ddla_report_preconditioner(r, in_.one_in(8) ? nullptr : &name, &built));
        check(ddla_report_component(r, in_.below(6) - 1, &component));
        if (ddla_report_json(r, &json) == DDLA_OK) require(json && json[0] == '{');
    }

    static constexpr void (calls::*steps[])() = {&calls::new_vector,
                                                 &calls::fill,
                                                 &calls::set_vector,
                                                 &calls::copy_vector,
                                                 &calls::new_matrix,
                                                 &calls::generate,
                                                 &calls::matrix_work,
                                                 &calls::reduce,
                                                 &calls::update,
                                                 &calls::product,
                                                 &calls::new_map,
                                                 &calls::factors,
                                                 &calls::solve,
                                                 &calls::check_x,
                                                 &calls::read_report,
                                                 &calls::on_a_stream,
                                                 &calls::more_on_a_stream,
                                                 &calls::several,
                                                 &calls::numbers,
                                                 &calls::about_the_machine,
                                                 &calls::assemble,
                                                 &calls::borrow,
                                                 &calls::complex_forms,
                                                 &calls::files,
                                                 &calls::about_handles,
                                                 &calls::generate_others,
                                                 &calls::formats,
                                                 &calls::on_ranks};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    calls(data, size).run();
    return 0;
}
