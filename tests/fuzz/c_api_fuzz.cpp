// Any bytes are a sequence of calls of ddla.h: each gives a status, and where it failed a sentence.
//
// Handles live in a few slots each; a call takes those that its bytes name, also empty ones (NULL).
// Sizes, numbers of enumerators and size fields are any small number, most of them valid.
#include "require.hpp"

#include <ddla.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using fuzz::require;

/// The bytes that are left; zeros behind the end.
class input {
public:
    input(const std::uint8_t* data, std::size_t size) : p_(data), end_(data + size) {}
    bool empty() const { return p_ == end_; }
    int byte() { return p_ == end_ ? 0 : *p_++; }
    /// From 0 to n - 1.
    int below(int n) { return byte() % n; }
    bool one_in(int n) { return byte() % n == n - 1; }
    double number()
    {
        constexpr std::array<double, 12> some{0,     1,    -1,        0.5,     3, 1e-20,
                                              1e300, -0.0, 0x1p-1074, 1.0 / 3, 7, -2.5};
        return some[static_cast<std::size_t>(below(12))];
    }
    ddla_dd pair() { return {number(), one_in(4) ? number() * 0x1p-60 : 0}; }

private:
    const std::uint8_t *p_, *end_;
};

template <class H>
class slots {
public:
    explicit slots(void (*destroy)(H*)) : destroy_(destroy) {}
    ~slots()
    {
        for (H* h : held_) destroy_(h);
        for (H* h : replaced_) destroy_(h);
    }
    slots(const slots&) = delete;
    slots& operator=(const slots&) = delete;
    H* get(input& in) { return held_[static_cast<std::size_t>(in.below(4))]; }
    /// A slot for a new handle; at times NULL, which is misuse.
    H** fresh(input& in)
    {
        if (in.one_in(32)) return nullptr;
        H*& h = held_[static_cast<std::size_t>(in.below(4))];
        replaced_.push_back(h);  // not destroyed yet: the call that fills the slot may read it
        h = nullptr;
        return &h;
    }

private:
    void (*destroy_)(H*);
    std::array<H*, 4> held_ = {};
    std::vector<H*> replaced_;
};

int apply(void* data, std::int64_t n, const double* x_hi, const double* x_lo, std::int64_t m,
          double* y_hi, double* y_lo)
{
    auto& calls_left = *static_cast<int*>(data);
    if (--calls_left < 0) return 1;
    for (std::int64_t i = 0; i < m; ++i) {
        y_hi[i] = i < n ? 2 * x_hi[i] : 0;
        if (y_lo) y_lo[i] = i < n ? 2 * x_lo[i] : 0;
    }
    return 0;
}

constexpr std::array<std::int64_t, 4> blocks{0, 1, 3, 2};

int watch(void* data, const ddla_progress* progress)
{
    require(progress->size >= sizeof *progress && progress->stage);
    return --*static_cast<int*>(data) < 0;
}

class session {
public:
    session(const std::uint8_t* data, std::size_t size) : in_(data, size) {}

    void run()
    {
        for (int calls = 0; calls < 100 && !in_.empty(); ++calls) {
            calls_left_ = 40;
            (this->*steps[static_cast<std::size_t>(in_.below(std::size(steps)))])();
        }
    }

private:
    static void check(ddla_status status)
    {
        require(ddla_status_name(status) != nullptr);
        require(status != DDLA_INTERNAL);
        require(status == DDLA_OK || *ddla_last_error() != '\0');
    }
    ddla_precision precision() { return in_.one_in(16) ? in_.byte() : 1 + in_.below(2); }
    ddla_place place() { return in_.one_in(32) ? -2 : DDLA_HOST; }
    /// The size field of a struct of so many bytes: at times too small.  (One that is larger than
    /// the struct is a lie that no library can see.)
    std::size_t size_of(std::size_t right)
    {
        return in_.one_in(16) ? static_cast<std::size_t>(in_.byte()) % right : right;
    }
    std::int64_t small() { return in_.below(9) - (in_.one_in(32) ? 9 : 0); }

    void new_vector() { check(ddla_vector_create(precision(), small(), place(), x_.fresh(in_))); }
    void fill() { check(ddla_vector_fill(x_.get(in_), in_.pair())); }
    void set_vector()
    {
        std::vector<ddla_dd> pairs(16);
        for (ddla_dd& p : pairs) p = in_.pair();
        std::array<double, 16> hi, lo;
        ddla_vector* const x = x_.get(in_);
        std::int64_t n = 0;
        if (ddla_vector_size(x, &n) != DDLA_OK || in_.one_in(8)) n = small();
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
    }

    void new_map()
    {
        switch (in_.below(7)) {
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
        default:
            return check(ddla_operator_apply(f_.get(in_), x_.get(in_), x_.get(in_)));
        }
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
    void factors()
    {
        std::int32_t done;
        switch (in_.below(4)) {
        case 0:
            return check(ddla_factors_create(a_.get(in_), precision(), nullptr, lu_.fresh(in_)));
        case 1:
            return check(ddla_factors_solve(lu_.get(in_), x_.get(in_), x_.get(in_)));
        case 2:
            return check(ddla_factors_solve_transposed(lu_.get(in_), x_.get(in_), x_.get(in_)));
        default:
            return check(ddla_factors_refactor(lu_.get(in_), a_.get(in_), &done));
        }
    }

    void solve()
    {
        ddla_solve_options o;
        check(ddla_solve_options_init(&o, sizeof o));
        o.size = size_of(sizeof o);
        o.method = in_.below(11);
        o.precond = in_.below(9);
        o.l = in_.below(5);
        o.s = in_.below(5);
        if (in_.one_in(4)) o.tolerance = in_.number();
        o.max_iterations = in_.below(40);
        o.restart = in_.below(6);
        o.record_history = in_.one_in(2);
        const ddla_preconditioner_options k_options = building();
        if (in_.one_in(4)) o.preconditioner = &k_options;
        o.certify = in_.one_in(4);
        if (in_.one_in(4)) o.watch = watch, o.watch_data = &calls_left_;
        ddla_preconditioner* const k = in_.one_in(2) ? k_.get(in_) : nullptr;
        ddla_report** const r = r_.fresh(in_);
        switch (in_.below(3)) {
        case 0:
            return check(ddla_solve(a_.get(in_), k, x_.get(in_), x_.get(in_), &o, r));
        case 1:
            return check(ddla_solve_operator(f_.get(in_), k, x_.get(in_), x_.get(in_), &o, r));
        default:
            return check(
                ddla_solve_factors(a_.get(in_), lu_.get(in_), x_.get(in_), x_.get(in_), &o, r));
        }
    }
    void check_x()
    {
        check(ddla_check(a_.get(in_), x_.get(in_), x_.get(in_), nullptr, r_.fresh(in_)));
    }
    void read_report()
    {
        const ddla_report* const r = r_.get(in_);
        ddla_solve_summary s;
        ddla_check_summary c;
        ddla_stage stage;
        ddla_error_estimates e;
        ddla_rank rank;
        ddla_component component;
        const char* json = nullptr;
        s.size = size_of(sizeof s);
        c.size = sizeof c, stage.size = sizeof stage, e.size = sizeof e;
        rank.size = size_of(sizeof rank), component.size = sizeof component;
        if (ddla_report_summary(r, &s) == DDLA_OK) require(ddla_solve_status_name(s.status));
        check(ddla_report_check(r, &c));
        check(ddla_report_stage(r, in_.below(6) - 1, &stage));
        check(ddla_report_errors(r, &e));
        check(ddla_report_rank(r, &rank));
        check(ddla_report_component(r, in_.below(6) - 1, &component));
        if (ddla_report_json(r, &json) == DDLA_OK) require(json && json[0] == '{');
    }

    void on_a_stream()
    {
        std::array<double, 10> hi = {1, 2, 3}, lo = {}, hi2 = {4, 5}, lo2 = {};
        const auto view = [&](std::array<double, 10>& h, std::array<double, 10>& l) {
            const int from = in_.below(3);
            return ddla_view{h.data() + from, in_.one_in(3) ? nullptr : l.data() + from,
                             std::min<std::int64_t>(small(), 10 - from)};
        };
        const ddla_view x = view(hi, lo), y = in_.one_in(4) ? view(hi, lo) : view(hi2, lo2);
        const ddla_scalar s = {in_.pair(), nullptr}, zero = {{0, 0}, nullptr};
        ddla_stream* on = nullptr;
        ddla_dd r;
        check(ddla_stream_create(place(), nullptr, &on));
        check(ddla_stream_dot(on, x, y, &r));
        check(ddla_stream_axpy(on, s, x, y));
        check(ddla_stream_scal(on, s, x));
        check(ddla_stream_copy(on, x, y));
        check(ddla_stream_spmv(on, s, a_.get(in_), x, zero, y));
        ddla_solve_options o;
        check(ddla_solve_options_init(&o, sizeof o));
        o.method = DDLA_BICGSTAB;
        o.max_iterations = 10;
        check(ddla_stream_solve(on, a_.get(in_), x, y, &o, r_.fresh(in_)));
        ddla_stream_destroy(on);
    }

    static constexpr void (session::*steps[])() = {
        &session::new_vector, &session::fill,     &session::set_vector,  &session::copy_vector,
        &session::new_matrix, &session::generate, &session::matrix_work, &session::reduce,
        &session::update,     &session::product,  &session::new_map,     &session::factors,
        &session::solve,      &session::check_x,  &session::read_report, &session::on_a_stream};

    input in_;
    int calls_left_ = 0;
    slots<ddla_vector> x_{ddla_vector_destroy};
    slots<ddla_matrix> a_{ddla_matrix_destroy};
    slots<ddla_operator> f_{ddla_operator_destroy};
    slots<ddla_preconditioner> k_{ddla_preconditioner_destroy};
    slots<ddla_factors> lu_{ddla_factors_destroy};
    slots<ddla_report> r_{ddla_report_destroy};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    session(data, size).run();
    return 0;
}
