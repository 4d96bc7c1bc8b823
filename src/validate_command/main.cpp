// ddla-validate: how many digits of x are right, by a reference solution of A x = b.
#include "cli/commands/watched_solve.hpp"
#include "cli/options/effects.hpp"
#include "cli/options/system_files.hpp"
#include "cli/report/answer_text.hpp"
#include "cli/shell/command_line.hpp"
#include "cli/shell/program.hpp"
#include "cli/shell/text_format.hpp"
#include "validate_options.hpp"
#include "validation.hpp"

#include <chrono>
#include <cstdlib>
#include <gmp.h>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace ddla::validate {
namespace {

using namespace cli;

std::size_t half_of_memory()
{
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 2;
}

std::string right_hand_side_text(const validate_request& r)
{
    if (!r.right_hand_side_is_file()) return r.right_hand_side;
    return std::filesystem::path(r.right_hand_side).filename().string();
}

std::string how_text(const validate_request& r)
{
    if (!r.solution.empty()) return "";
    const std::string precond(title(r.used_precond()));
    return std::string(title(r.method)) +
           (r.uses_factors() ? ", " : ", " + precond + " preconditioner, ") + goal_text(r);
}

/// The files, of which a complex one makes all others complex.  One b for all precisions, in double
/// like A.
struct files {
    any_matrix<double> a;
    any_vector<double> b;
    any_vector<dd_real> x;  ///< of --guess or --solution; else empty

    files(const validate_request& r, read_files* read)
        : a(read_square<double>(r, read)), b(right_hand_side<double>(r, a, read))
    {
        const auto& file = r.solution.empty() ? r.guess : r.solution;
        if (!file.empty())
            x = read_sized<dd_real>(file, rows_of(r.matrix, a), read,
                                    r.solution.empty() ? "guess" : "solution");
        else
            x.is_complex = a.is_complex;
        agree(a, b, x);
    }
};

/// The work, with what it has found so far.
class validator {
public:
    explicit validator(const validate_request& r)
        : r_(r), at_(set_up(r)), files_(read(r, &read_, interrupt_)), a_(files_.a.numbers),
          b_(files_.b.numbers)
    {
        if (a_.rows() == 0) throw input_error(r.matrix.string() + ": the matrix is 0 x 0");
        found_ = {.matrix = r.matrix,
                  .rows = a_.rows(),
                  .nonzeros = a_.nonzeros(),
                  .is_complex = files_.a.is_complex,
                  .right_hand_side = right_hand_side_text(r),
                  .how = how_text(r),
                  .tolerance = r.solution.empty()
                                   ? r.tolerance.value_or(r.uses_factors() ? 0 : usual_tolerance)
                                   : 0,
                  .wanted_digits = r.right_digits,
                  .normwise = r.normwise,
                  .read = std::move(read_)};
    }
    validation run();

private:
    static files read(const validate_request& r, read_files* found,
                      const interrupt_guard& interrupt)
    {
        const watched_work reading("reading " + r.matrix.string(), interrupt, r.quiet);
        return files(r, found);
    }
    template <scalar T>
    void solve();
    template <scalar T>
    void judge(const vector<T>& x, judged& j, const reference& ref, const solve_look& look) const;
    reference_limits limits() const;
    void judge_all(const reference& ref, double seconds, const solve_look& look);
    void compare_with_reference();

    const validate_request& r_;
    const interrupt_guard interrupt_;
    const watched_scope scope_{[this] { return !interrupt_.requested(); }};
    place at_;
    read_files read_;
    const files files_;
    const csr_matrix<double>& a_;
    const vector<double>& b_;
    vector<double> in_double_;
    vector<dd_real> in_dd_;
    validation found_;
};

template <scalar T>
void validator::solve()
{
    vector<T> b(b_.size()), x(b_.size());
    for (index_t i = 0; i < b.size(); ++i) b.set(i, b_[i]);
    if (!r_.guess.empty())
        for (index_t i = 0; i < x.size(); ++i)
            x.set(i, from_words<T>([&, g = files_.x.numbers[i]](int k) {
                      return number_traits<dd_real>::word(g, k);
                  }));
    const csr_matrix<double> a = at_.is_host() ? a_ : a_.to(at_);
    vector<T> there = x.to(at_);
    const solve_report report =
        watched_solve(r_, a, b.to(at_), there, !r_.html.empty(), interrupt_);
    found_.interrupted = report.interrupted;
    found_.all.push_back({std::string(name(precision_of<T>)), report});
    if constexpr (words_of<T> == 1)
        in_double_ = there.to(host);
    else
        in_dd_ = there.to(host);
}

/// From now on.
reference_limits validator::limits() const
{
    reference_limits limits = r_.limits;
    limits.begin = std::chrono::steady_clock::now();
    limits.bytes =
        r_.max_memory > 0 ? static_cast<std::size_t>(r_.max_memory * 0x1p30) : half_of_memory();
    return limits;
}

template <scalar T>
void validator::judge(const vector<T>& x, judged& j, const reference& ref,
                      const solve_look& look) const
{
    // What an x of a file was computed in is not known: most are in double.
    const double epsilon = j.solve && words_of<T> > 1 ? 0x1p-104 : 0x1p-52;
    j.digits = compare(x, ref.x);
    j.backward = look_back(a_, b_, x, epsilon);
    j.bound = error_bound(a_, b_, x, ref, look);
}

/// The facts come last: a report has either all of them or none.
void validator::judge_all(const reference& ref, double seconds, const solve_look& look)
{
    for (judged& j : found_.all) {
        if (j.title == name(precision_of<double>) && j.solve)
            judge(in_double_, j, ref, look);
        else
            judge(in_dd_, j, ref, look);
    }
    const double skeel = skeel_condition(a_, ref, look);
    found_.reference = {ref.agreed_digits,     ref.rcond, skeel, ref.bits, ref.lower_bits,
                        ref.factors.entries(), seconds};
}

/// The work that takes long, with its progress; false from the watch ends it.
void validator::compare_with_reference()
{
    const reference_limits limits = this->limits();
    progress_line line(r_.quiet);
    const reference_watch watch = [&](const reference_progress& p) {
        if (line.due()) {
            std::string text = print("reference, %d bits: %s", p.bits, p.what);
            if (p.done > 0 || p.of > 0) text += print(" %lld", static_cast<long long>(p.done));
            if (p.of > 0) text += print(" of %lld", static_cast<long long>(p.of));
            line.show(text);
        }
        return !interrupt_.requested();
    };
    const reference ref = make_reference(a_, b_, r_.matrix, limits, watch);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - limits.begin;
    const reference_guard guard(limits, r_.matrix, watch);
    judge_all(ref, time.count(), [&] { guard.look({"error bounds", ref.bits, 0, 0}); });
}

validation validator::run()
{
    if (!r_.solution.empty()) {
        in_dd_ = files_.x.numbers;
        found_.all.push_back({r_.solution.filename().string(), std::nullopt});
    } else {
        for (const precision in : r_.precisions)
            if (!found_.interrupted) in_precision(in, [&]<scalar T>() { solve<T>(); });
    }
    if (found_.interrupted) return found_;
    try {
        compare_with_reference();
    } catch (const interrupted_reference&) {
        found_.interrupted = true;
    } catch (const interrupted_error&) {
        found_.interrupted = true;
    }
    return found_;
}

/// All that was asked for, whatever of it fails; then the first failure.
void report(const validate_request& r, const validation& v)
{
    if (!r.quiet) std::cout << validation_text(v) << std::flush;
    std::exception_ptr failed;
    const auto attempt = [&](const std::filesystem::path& file, const std::string& text) {
        try {
            write_file(file, text);
        } catch (const error&) {
            if (!failed) failed = std::current_exception();
        }
    };
    attempt(r.report, validation_json(v));
    attempt(r.html, validation_html(v));
    if (failed) std::rethrow_exception(failed);
}

exit_status run(const validate_request& given)
{
    check_effects(given);
    const validate_request r = with_b_of_file(given);
    const std::string b = r.right_hand_side_is_file() ? r.right_hand_side : "";
    check_files(
        {{"A.mtx", r.matrix}, {"--rhs", b}, {"--guess", r.guess}, {"--solution", r.solution}},
        {{"--report", r.report}, {"--html", r.html, file_form::html}});
    const validation v = validator(r).run();
    report(r, v);
    return v.passed() ? exit_converged : exit_not_converged;
}

/// GMP can neither return without memory nor pass an exception on: it would end by SIGABRT.
[[noreturn]] void end_now()
{
    ::_exit(complain_of_memory("ddla-validate"));
}
void* gmp_memory(std::size_t bytes)
{
    if (void* const p = std::malloc(bytes)) return p;
    end_now();
}
void* other_gmp_memory(void* p, std::size_t, std::size_t bytes)
{
    if (void* const q = std::realloc(p, bytes)) return q;
    end_now();
}
void release_gmp_memory(void* p, std::size_t)
{
    std::free(p);
}

/// No file is open while GMP computes: what is written is complete before.
void end_without_memory()
{
    mp_set_memory_functions(gmp_memory, other_gmp_memory, release_gmp_memory);
}

}  // namespace
}  // namespace ddla::validate

int main(int argc, char** argv)
{
    ddla::validate::end_without_memory();
    return ddla::cli::within_memory("ddla-validate", [&] {
        CLI::App app{"How many digits of x are right: by a reference solution of A x = b.",
                     "ddla-validate"};
        ddla::validate::validate_request request;
        ddla::validate::add_options(app, request);
        return ddla::cli::run_program(app, argc, argv, [&] {
            request.given = ddla::cli::given_options(app);
            return ddla::validate::run(request);
        });
    });
}
