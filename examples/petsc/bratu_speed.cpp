// The Bratu problem by PETSc's Newton method, with products and linear solves of PETSc and of ddla.
//
//     petsc      seqaij; CG with Jacobi
//     product    the same, with the MATSHELL of ddla_mat.hpp
//     ddla       CG with Jacobi by ddla_krylov.hpp
//
//     ./bratu_speed [-n 32] [-solvers petsc,product,ddla] [-places host,device] [options of PETSc]
//
// ddla works on the first device, if there is one, and on the host.  Exit status 1 if two products
// differ by more than rounding, or if a solve ends with a residual other than the one that is
// computed here again.
#include "bratu_problem.hpp"
#include "ddla_krylov.hpp"

#include <cstdio>
#include <functional>
#include <optional>
#include <string>

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin)
{
    return std::chrono::duration<double>(clock::now() - begin).count();
}

/// Of one call of `work`, which may only enqueue: the median of several groups of calls.
double seconds_of(
    const std::function<void()>& work, const std::function<void()>& wait = [] {})
{
    work(), wait();
    const auto once = clock::now();
    work(), wait();
    const int calls = 1 + int(0.02 / (seconds_since(once) + 1e-9));
    std::array<double, 7> samples{};
    for (double& sample : samples) {
        const auto begin = clock::now();
        for (int k = 0; k < calls; ++k) work();
        wait();
        sample = seconds_since(begin) / calls;
    }
    std::nth_element(samples.begin(), samples.begin() + 3, samples.end());
    return samples[3];
}

/// The problem, and PETSc's Newton method for it.
struct problem {
    PetscInt n;
    bratu::context context;
    DM mesh;
    SNES newton;
    KSP ksp;
    Mat jacobian;
};

PetscErrorCode make(PetscInt n, problem* to)
{
    PetscFunctionBeginUser;
    PC pc;
    to->n = n;
    PetscCall(bratu::make_mesh(n, &to->context, &to->mesh));
    PetscCall(DMCreateMatrix(to->mesh, &to->jacobian));
    PetscCall(SNESCreate(PETSC_COMM_WORLD, &to->newton));
    PetscCall(SNESSetDM(to->newton, to->mesh));
    PetscCall(SNESGetKSP(to->newton, &to->ksp));
    PetscCall(KSPSetType(to->ksp, KSPCG));
    PetscCall(KSPSetNormType(to->ksp, KSP_NORM_UNPRECONDITIONED));  // as ddla judges
    PetscCall(KSPGetPC(to->ksp, &pc));
    PetscCall(PCSetType(pc, PCJACOBI));
    PetscCall(SNESSetFromOptions(to->newton));
    PetscFunctionReturn(0);
}

PetscErrorCode destroy(problem* its)
{
    PetscFunctionBeginUser;
    PetscCall(SNESDestroy(&its->newton));
    PetscCall(MatDestroy(&its->jacobian));
    PetscCall(DMDestroy(&its->mesh));
    PetscFunctionReturn(0);
}

/// ||F(u)|| once more: in extended precision, by differences, from the numbers of u alone.
double norm_of_residual(const double* u, PetscInt n)
{
    const long double h = 1.0L / (n + 1);
    const PetscInt step[] = {1, n, n * n};
    long double sum = 0;
    for (PetscInt m = 0; m < n * n * n; ++m) {
        const PetscInt at[] = {m % n, m / n % n, m / (n * n)};
        long double f = -bratu::lambda * h * h * std::exp((long double)u[m]);
        for (int d = 0; d < 3; ++d)
            f += 2 * (long double)u[m] - (at[d] > 0 ? u[m - step[d]] : 0) -
                 (at[d] < n - 1 ? u[m + step[d]] : 0);
        sum += h * f * h * f;
    }
    return double(std::sqrt(sum));
}

struct solved {
    std::string who;
    PetscInt steps = 0;  ///< of Newton
    std::int64_t iterations = 0;
    double seconds = 0, linear = 0, copies = 0;  ///< all; of KSP; of it, A for ddla
    double residual = 0, start = 0, recomputed = 0, middle = 0;
    bool is_right = false;
};

/// The clock of all linear solves, by KSP's own hooks.
struct linear_clock {
    clock::time_point begin;
    double seconds = 0;
    static PetscErrorCode start(KSP, Vec, Vec, void* its)
    {
        static_cast<linear_clock*>(its)->begin = clock::now();
        return 0;
    }
    static PetscErrorCode stop(KSP, Vec, Vec, void* its)
    {
        auto* const self = static_cast<linear_clock*>(its);
        self->seconds += seconds_since(self->begin);
        return 0;
    }
};

PetscErrorCode solve(const problem& its, solved* to)
{
    PetscFunctionBeginUser;
    Vec u, f;
    PetscInt iterations = 0;
    SNESConvergedReason reason;
    const PetscScalar* found = nullptr;
    linear_clock linear;
    PetscCall(DMCreateGlobalVector(its.mesh, &u));
    PetscCall(VecDuplicate(u, &f));
    PetscCall(SNESComputeFunction(its.newton, u, f));
    PetscCall(VecNorm(f, NORM_2, &to->start));
    PetscCall(KSPSetPreSolve(its.ksp, linear_clock::start, &linear));
    PetscCall(KSPSetPostSolve(its.ksp, linear_clock::stop, &linear));
    const auto begin = clock::now();
    PetscCall(SNESSolve(its.newton, nullptr, u));
    to->seconds = seconds_since(begin);
    to->linear = linear.seconds;
    PetscCall(SNESGetIterationNumber(its.newton, &to->steps));
    PetscCall(SNESGetLinearSolveIterations(its.newton, &iterations));
    to->iterations = iterations;
    PetscCall(SNESGetFunctionNorm(its.newton, &to->residual));
    PetscCall(SNESGetConvergedReason(its.newton, &reason));
    PetscCall(VecGetArrayRead(u, &found));
    to->recomputed = norm_of_residual(found, its.n);
    const PetscInt m = (its.n - 1) / 2;
    to->middle = found[m + its.n * (m + its.n * m)];
    PetscCall(VecRestoreArrayRead(u, &found));
    PetscCall(VecDestroy(&f));
    PetscCall(VecDestroy(&u));
    to->is_right = reason > 0 && std::fabs(to->recomputed - to->residual) <= 1e-10 * to->start;
    PetscFunctionReturn(0);
}

/// `place`: of ddla's product; none for PETSc's own.
PetscErrorCode solve_by_petsc(PetscInt n, std::optional<ddla::place> place, solved* to)
{
    PetscFunctionBeginUser;
    problem its;
    Mat fast = nullptr;
    PetscCall(make(n, &its));
    if (place)
        PetscCall(ddla_mat::make(its.jacobian, *place, ddla::sparse_format::automatic, &fast));
    PetscCall(
        SNESSetJacobian(its.newton, place ? fast : its.jacobian, its.jacobian, nullptr, nullptr));
    PetscCall(solve(its, to));
    PetscCall(MatDestroy(&fast));
    PetscCall(destroy(&its));
    PetscFunctionReturn(0);
}

PetscErrorCode solve_by_ddla(PetscInt n, ddla::place where, solved* to)
{
    PetscFunctionBeginUser;
    problem its;
    PC pc;
    double tolerance = 0;
    PetscInt most = 0;
    PetscCall(make(n, &its));
    PetscCall(SNESSetJacobian(its.newton, its.jacobian, its.jacobian, nullptr, nullptr));
    PetscCall(KSPGetTolerances(its.ksp, &tolerance, nullptr, nullptr, &most));
    PetscCall(KSPSetNormType(its.ksp, KSP_NORM_DEFAULT));
    PetscCall(KSPSetType(its.ksp, KSPPREONLY));
    PetscCall(KSPGetPC(its.ksp, &pc));
    PetscCall(ddla_krylov::make(pc,
                                {.method = ddla::method::cg,
                                 .precond = ddla::preconditioning::jacobi,
                                 .tolerance = tolerance,
                                 .max_iterations = most},
                                where));
    PetscCall(solve(its, to));
    to->iterations = ddla_krylov::of(pc).iterations();
    to->copies = ddla_krylov::of(pc).copy_seconds();
    PetscCall(destroy(&its));
    PetscFunctionReturn(0);
}

struct product {
    std::string who;
    double seconds = 0;
    double in_place = 0;    ///< of vectors that are where ddla's matrix is
    double difference = 0;  ///< from PETSc's, the largest, over 12 h >= |A| |x|
};

/// ddla's product in PETSc, which copies vectors to and from a device.
PetscErrorCode time_shell(const problem& its, ddla::place where, ddla::sparse_format format, Vec x,
                          Vec expected, product* to)
{
    PetscFunctionBeginUser;
    Mat fast;
    Vec y;
    PetscCall(VecDuplicate(x, &y));
    PetscCall(ddla_mat::make(its.jacobian, where, format, &fast));
    PetscCall(MatAssemblyBegin(fast, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(fast, MAT_FINAL_ASSEMBLY));
    to->who = "ddla " + std::string(to_string(format)) + ", " + to_string(where);
    to->seconds = seconds_of([&] { PetscCallAbort(PETSC_COMM_SELF, MatMult(fast, x, y)); });
    PetscCall(VecAXPY(y, -1, expected));
    PetscCall(VecNorm(y, NORM_INFINITY, &to->difference));
    to->difference *= double(its.n + 1) / 12;
    {
        const ddla::csr_matrix<double>& a = ddla_mat::of(fast).matrix();
        const ddla::vector<double> in(a.columns(), 1.0, where);
        ddla::vector<double> out(a.rows(), where);
        ddla::stream on(where);
        to->in_place = seconds_of(
            [&] { ddla::spmv(on, 1.0, a.view(), in.view(), 0.0, out.view()); }, [&] { on.wait(); });
    }
    PetscCall(MatDestroy(&fast));
    PetscCall(VecDestroy(&y));
    PetscFunctionReturn(0);
}

/// Products with the Jacobian at u = 0, and x at random in [0, 1).
PetscErrorCode time_products(PetscInt n, const std::vector<ddla::place>& places,
                             std::vector<product>* to)
{
    PetscFunctionBeginUser;
    problem its;
    Vec u, x, y;
    PetscRandom random;
    PetscCall(make(n, &its));
    PetscCall(SNESSetJacobian(its.newton, its.jacobian, its.jacobian, nullptr, nullptr));
    PetscCall(SNESSetUp(its.newton));
    PetscCall(DMCreateGlobalVector(its.mesh, &u));
    PetscCall(VecDuplicate(u, &x));
    PetscCall(VecDuplicate(u, &y));
    PetscCall(SNESComputeJacobian(its.newton, u, its.jacobian, its.jacobian));
    PetscCall(PetscRandomCreate(PETSC_COMM_SELF, &random));
    PetscCall(VecSetRandom(x, random));
    const auto multiply = [&] { PetscCallAbort(PETSC_COMM_SELF, MatMult(its.jacobian, x, y)); };
    const double petsc = seconds_of(multiply);
    to->push_back({"PETSc", petsc, petsc});
    using enum ddla::sparse_format;
    for (const ddla::place where : places)
        for (const ddla::sparse_format format : {automatic, csr, evc_hyb, slices})
            if (!where.is_host() || format == automatic || format == csr)
                PetscCall(time_shell(its, where, format, x, y, &to->emplace_back()));
    PetscCall(PetscRandomDestroy(&random));
    PetscCall(VecDestroy(&y));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&u));
    PetscCall(destroy(&its));
    PetscFunctionReturn(0);
}

/// Whether it is right.
bool print(const product& p)
{
    const bool is_right = p.difference < 1e-14;
    std::printf("product  %-26s %10.1f us, in place %.1f us, differs by %.0e%s\n", p.who.c_str(),
                1e6 * p.seconds, 1e6 * p.in_place, p.difference, is_right ? "" : ", WRONG");
    std::fflush(stdout);
    return is_right;
}

bool print(const solved& s)
{
    std::printf("solve    %-26s %10.3f s, linear %.3f, of it copies %.3f, steps %d, iterations %d, "
                "||F|| %.3e, again %.3e, u in the middle %.12f%s\n",
                s.who.c_str(), s.seconds, s.linear, s.copies, int(s.steps), int(s.iterations),
                s.residual, s.recomputed, s.middle, s.is_right ? "" : ", WRONG");
    std::fflush(stdout);
    return s.is_right;
}

/// Whether the option has this word, or is not given: -solvers petsc,ddla.
bool is_asked(const char* option, const std::string& word)
{
    std::array<char*, 8> words{};
    auto count = PetscInt(words.size());
    PetscBool is_given = PETSC_FALSE;
    PetscCallAbort(PETSC_COMM_SELF, PetscOptionsGetStringArray(nullptr, nullptr, option,
                                                               words.data(), &count, &is_given));
    bool found = !is_given;
    for (PetscInt k = 0; is_given && k < count; ++k) {
        found = found || word == words[std::size_t(k)];
        PetscCallAbort(PETSC_COMM_SELF, PetscFree(words[std::size_t(k)]));
    }
    return found;
}

PetscErrorCode run(bool* all_right)
{
    PetscFunctionBeginUser;
    PetscInt n = 32;
    PetscCall(bratu::read_size(&n));
    std::vector<ddla::place> places;
    if (is_asked("-places", "device") && !ddla::devices().empty())
        places.push_back(ddla::device(0));
    if (is_asked("-places", "host")) places.push_back(ddla::host);

    std::printf("%d^3 unknowns\n", int(n));
    std::vector<product> products;
    PetscCall(time_products(n, places, &products));
    for (const product& p : products) *all_right &= print(p);
    for (const ddla::place where : places) {
        solved own{"ddla, " + to_string(where)}, mixed{"product of ddla, " + to_string(where)};
        if (is_asked("-solvers", "ddla")) {
            PetscCall(solve_by_ddla(n, where, &own));
            *all_right &= print(own);
        }
        if (is_asked("-solvers", "product")) {
            PetscCall(solve_by_petsc(n, where, &mixed));
            *all_right &= print(mixed);
        }
    }
    solved petsc{"PETSc"};
    if (is_asked("-solvers", "petsc")) {
        PetscCall(solve_by_petsc(n, {}, &petsc));
        *all_right &= print(petsc);
    }
    PetscFunctionReturn(0);
}

}  // namespace

int main(int count, char** arguments)
{
    bool all_right = true;
    PetscCall(PetscInitialize(&count, &arguments, nullptr, nullptr));
    PetscCall(run(&all_right));
    PetscCall(PetscFinalize());
    return all_right ? 0 : 1;
}
