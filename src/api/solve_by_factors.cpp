// solve() with factors and refinement.
#include "solve_by_factors.hpp"

#include "refine/answer.hpp"

#include <algorithm>
#include <chrono>

namespace ddla::api {
namespace {

/// Numbers of a place, in double-double at the host.
template <scalar T>
vector<dd_real> at_host(vec<const T> x, place at)
{
    vector<dd_real> here(x.size);
    for (int k = 0; k < words_of<T>; ++k)
        copy_bytes(here.word(k).data(), host, x.word(k), at, here.word(k).size_bytes());
    return here;
}

template <scalar T>
void copy_back(vector<dd_real>& from, vec<T> to, place at)
{
    for (int k = 0; k < words_of<T>; ++k)
        copy_bytes(to.word(k), at, from.word(k).data(), host, from.word(k).size_bytes());
}

/// A at the host: itself, or a copy.
template <scalar V>
class rows_at_host {
public:
    rows_at_host(const csr<V>& a, place at)
    {
        view_ = a;
        view_.storage = nullptr;
        if (at.is_host()) return;
        const auto bytes_of_offsets = static_cast<std::size_t>((a.rows + 1) * a.row_begin.bytes());
        const auto entries = static_cast<std::size_t>(a.nonzeros());
        offsets_ = copy_of(a.row_begin.data(), bytes_of_offsets, at);
        columns_ = copy_of(a.column, entries * sizeof(column_t), at);
        values_ = vector<V>(a.nonzeros());
        for (int k = 0; k < words_of<V>; ++k)
            copy_bytes(values_.word(k).data(), host, a.value.word(k), at, entries * sizeof(double));
        view_.row_begin = a.row_begin.is_wide()
                              ? row_offsets(static_cast<const index_t*>(offsets_.data()))
                              : row_offsets(static_cast<const std::int32_t*>(offsets_.data()));
        view_.column = static_cast<const column_t*>(columns_.data());
        view_.value = values_.view();
        view_.long_rows = {};
    }
    const csr<V>& view() const { return view_; }

private:
    static buffer copy_of(const void* data, std::size_t bytes, place at)
    {
        buffer here(bytes, host);
        copy_bytes(here.data(), host, data, at, bytes);
        return here;
    }

    csr<V> view_;
    buffer offsets_, columns_;
    vector<V> values_;
};

template <scalar T>
refine::answer_request request_of(const solve_options& o)
{
    const bool automatic = o.method == method::automatic;
    return {.factorisation = o.factorisation,
            .goal = automatic ? solve_goal::digits : solve_goal::residual,
            .digits = o.digits,
            .normwise = o.normwise,
            .tolerance = o.tolerance,
            .words = words_of<T>,
            .watch = o.watch};
}

void fill(solve_report& report, refine::answer&& a, solve_goal goal)
{
    report.status = a.status;
    report.interrupted = a.interrupted;
    report.iterations = a.steps;
    report.relative_residual = report.true_relative_residual = a.relative_residual;
    report.goal = goal;
    report.plan = std::move(a.plan);
    report.errors = a.errors;
    report.digits = a.digits;
    report.rank = a.rank;
    if (report.status == solve_status::not_finite) report.breakdown = "x";
}

}  // namespace

template <scalar T, scalar V>
std::string solve_by_factors(engine& here, place at, const csr<V>& a, vec<const T> b, vec<T> x,
                             const solve_options& options, solve_report& report)
{
    here.wait();
    const rows_at_host<V> rows(a, at);
    const vector<dd_real> right_hand_side = at_host<T>(b, at);
    vector<dd_real> solution = at_host<T>(x, at);
    const refine::host_system<V> system(rows.view(), right_hand_side.view());
    const refine::answer_request request = request_of<T>(options);
    refine::answer answer = refine::find_answer(system, solution.view(), request);
    if (answer.too_large) {
        report.plan = std::move(answer.plan);
        return answer.limit;
    }
    copy_back(solution, x, at);
    report.peak_bytes = static_cast<std::size_t>(answer.factor_bytes);
    fill(report, std::move(answer), request.goal);
    return {};
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::string solve_by_factors(engine&, place, const csr<V>&, vec<const T>, vec<T>,     \
                                          const solve_options&, solve_report&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
