// Computes reference answers for one matrix and stores them.
//
//     make_reference NAME RHS[,RHS...] ANSWERS [MATRICES]
//
// NAME is a generated matrix or NAME.mtx[.gz] in the folder MATRICES (default: the environment's
// DDLA_TEST_MATRICES); RHS are ones, random, unit, large.  Writes ANSWERS/NAME.txt.gz in the format
// of tests/support/reference_answers.hpp.
//
// x is solved with 100 and 200 decimal digits, then 200 and 400, 400 and 800, until both agree to
// 1e-64 relative in every component.  A component counts as zero if it is zero in both, or a
// rounding error: below 10^(-d/4) of the largest one at the lower precision of d digits, and
// smaller by half of the digits that the higher precision has more; or zero at the lower and
// below 10^(-3/4 D) at the higher one of D digits.  For n up to 600 the rational solution, too,
// must agree to 1e-60; it is what is stored.
//
// Exit code 0: stored; 3: not answered, with the reason (singular, too large); 1: an error.
#include "conditions.hpp"
#include "elimination.hpp"
#include "exact_solution.hpp"

#include "support/reference_answers.hpp"

#include "ddla/matrix_market.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace reference {
namespace {

constexpr unsigned ladder[] = {100, 200, 400, 800};
constexpr ddla::index_t largest_n = 5000;
/// Of the factors: some 300 MB of numbers with 200 digits.
constexpr ddla::index_t largest_fill = 1'500'000;
constexpr ddla::index_t largest_exact_n = 600;
constexpr int most_lifting_steps = 12000;

/// Why there is no answer.
struct refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The entries of the factors in double, which choose nearly the same pivots.
ddla::index_t fill_in_double(const ddla::csr_matrix<double>& a)
{
    Eigen::SparseLU<eigen_matrix<double>, Eigen::COLAMDOrdering<int>> lu;
    lu.compute(to_eigen<double>(a));
    return lu.info() == Eigen::Success ? lu.nnzL() + lu.nnzU() : 0;
}

number ten_to(double exponent)
{
    return pow(number(10), number(exponent));
}

number largest_of(const number_vector& x)
{
    number largest = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i) largest = std::max(largest, number(abs(x[i])));
    return largest;
}

/// Sets what counts as zero to zero, in x; false if a component differs.
bool agree(const number_vector& lower, number_vector& x, unsigned lower_digits,
           unsigned higher_digits)
{
    const number tiny = ten_to(-0.25 * lower_digits) * largest_of(x);
    const number none = ten_to(-0.75 * higher_digits) * largest_of(x);
    const number fall = ten_to(-0.5 * (higher_digits - lower_digits));
    const number tolerance("1e-64");
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const number high = abs(x[i]), low = abs(lower[i]);
        if (abs(x[i] - lower[i]) <= tolerance * high) continue;
        if (low == 0 ? high > none : low > tiny || high > low * fall) return false;
        x[i] = 0;
    }
    return true;
}

std::string decimal(mpfr_srcptr x)
{
    if (mpfr_zero_p(x)) return "0";
    if (!mpfr_number_p(x)) throw ddla::input_error("a component is not a number");
    mpfr_exp_t exponent = 0;
    char* const text = mpfr_get_str(nullptr, &exponent, 10, stored_digits, x, MPFR_RNDN);
    std::string digits = text;
    mpfr_free_str(text);
    const std::string sign = digits[0] == '-' ? "-" : "";
    digits.erase(0, sign.size());
    digits.erase(digits.find_last_not_of('0') + 1);
    // d.ddd without the point: an integer times a power of ten.
    const long power = exponent - static_cast<long>(digits.size());
    return sign + digits + (power ? "e" + std::to_string(power) : "");
}

/// All systems of one matrix with one pair of precisions.
class attempt {
public:
    attempt(const ddla::csr_matrix<double>& a, unsigned lower, unsigned higher)
        : lower_(a, lower), higher_(a, higher), n_(a.rows())
    {
    }
    bool factored() const { return lower_.succeeded() && higher_.succeeded(); }
    elimination& best() { return higher_; }

    /// False if the precisions do not agree.
    bool solve(const std::string& rhs)
    {
        answer one{.rhs = rhs,
                   .lower = static_cast<int>(lower_.digits()),
                   .higher = static_cast<int>(higher_.digits())};
        higher_.activate();
        one.b = rhs == "large" ? vector_that_makes_x_large(higher_, n_) : right_hand_side(rhs, n_);
        number_vector x = higher_.solve(one.b);
        lower_.activate();
        const number_vector rough = lower_.solve(one.b);
        higher_.activate();
        if (!agree(rough, x, lower_.digits(), higher_.digits())) return false;
        for (Eigen::Index i = 0; i < x.size(); ++i) one.x.push_back(decimal(x[i].backend().data()));
        solved.push_back(std::move(one));
        solutions.push_back(std::move(x));
        return true;
    }

    std::vector<answer> solved;
    std::vector<number_vector> solutions;

private:
    elimination lower_, higher_;
    ddla::index_t n_;
};

/// Puts the proved solution in the place of the one that agreed.
void prove(answer& one, const number_vector& x, exact_solver& solver)
{
    if (!solver.solve(one.b, most_lifting_steps)) {
        std::printf("  %s: no rational solution in %d lifting steps\n", one.rhs.c_str(),
                    most_lifting_steps);
        return;
    }
    const number tolerance("1e-60");
    number exact;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        solver.component(exact.backend().data(), at);
        if (abs(x[i] - exact) > tolerance * abs(exact))
            throw std::logic_error("elimination and rational solution differ");
        one.x[at] = decimal(exact.backend().data());
    }
    one.exact = true;
}

std::unique_ptr<attempt> solve_all(const ddla::csr_matrix<double>& a,
                                   const std::vector<std::string>& rhs)
{
    for (std::size_t level = 0; level + 1 < std::size(ladder); ++level) {
        auto now = std::make_unique<attempt>(a, ladder[level], ladder[level + 1]);
        bool agreed = now->factored();
        for (const std::string& name : rhs) agreed = agreed && now->solve(name);
        if (agreed) return now;
        std::printf("  %u and %u digits do not agree\n", ladder[level], ladder[level + 1]);
        std::fflush(stdout);
    }
    throw refused("singular, or too ill-conditioned for 800 digits");
}

void check_size(const ddla::csr_matrix<double>& a)
{
    if (a.rows() != a.columns()) throw refused("not square");
    if (a.rows() > largest_n) throw refused("more than 5000 rows");
    if (fill_in_double(a) > largest_fill) throw refused("more than 1500000 entries in the factors");
}

answers answers_of(const std::string& name, const ddla::csr_matrix<double>& a,
                   const std::vector<std::string>& rhs)
{
    check_size(a);
    std::optional<exact_solver> exact;
    if (a.rows() <= largest_exact_n) exact.emplace(a);
    if (exact && exact->singular()) throw refused("singular, modulo two primes");
    const auto solved = solve_all(a, rhs);
    conditions conditions(a, solved->best());
    answers all{.matrix = name,
                .rows = a.rows(),
                .nonzeros = a.nonzeros(),
                .hash = hash_of(a),
                .kappa1 = conditions.kappa1()};
    for (std::size_t k = 0; k < rhs.size(); ++k) {
        answer& one = solved->solved[k];
        if (exact) prove(one, solved->solutions[k], *exact);
        one.skeel = conditions.skeel(solved->solutions[k]);
        all.all.push_back(std::move(one));
    }
    all.definite = is_symmetric(a) && is_definite(a, solved->best().digits());
    return all;
}

ddla::csr_matrix<double> matrix_named(const std::string& name, const std::filesystem::path& folder)
{
    if (is_generated(name)) return generated_matrix(name);
    const auto file = file_of(name, folder);
    if (!file)
        throw ddla::input_error("no matrix " + name + " in folder '" + folder.string() + "'");
    return ddla::read_matrix<double>(*file);
}

void run(int argc, char** argv)
{
    const std::string name = argv[1];
    const char* const set = std::getenv("DDLA_TEST_MATRICES");
    std::vector<std::string> rhs;
    std::istringstream list(argv[2]);
    for (std::string one; std::getline(list, one, ',');) rhs.push_back(one);
    const auto begin = std::chrono::steady_clock::now();
    const auto a = matrix_named(name, argc > 4 ? argv[4] : set ? set : "");
    const answers all = answers_of(name, a, rhs);
    write_answers(std::filesystem::path(argv[3]) / (name + ".txt.gz"), all);
    for (const answer& one : all.all)
        std::printf("  %-7s %s %d %d, cond(A, x) %.2e\n", one.rhs.c_str(),
                    one.exact ? "exact" : "agreed", one.lower, one.higher, one.skeel.value);
    std::printf("  n %lld, kappa_1 %.2e, %.1f s\n", static_cast<long long>(a.rows()),
                all.kappa1.value,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv)
{
    if (argc < 4 || argc > 5) {
        std::fprintf(stderr, "usage: %s NAME RHS[,RHS...] ANSWERS [MATRICES]\n", argv[0]);
        return 2;
    }
    try {
        reference::run(argc, argv);
        return 0;
    } catch (const reference::refused& why) {
        std::printf("  not answered: %s\n", why.what());
        return 3;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
        return 1;
    }
}
