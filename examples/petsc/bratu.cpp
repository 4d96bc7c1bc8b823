// The Bratu problem in PETSc, with ddla for the last digits.
//
//     -Laplace(u) = 6 exp(u) in the unit cube, u = 0 around it; 7 points, n^3 unknowns
//
// PETSc's Newton method (SNES) finds u in double; its linear systems are solved by ddla through a
// shell (ddla_pc.hpp).  Then the same Newton method goes on in double-double: F(u) in
// double-double, corrections by ddla with PETSc's Jacobian.
//
//     ./bratu [-n 16] [options of PETSc]
#include "bratu_problem.hpp"
#include "ddla_pc.hpp"

#include <cstdio>

namespace {

using ddla::dd_real;

/// exp(x) for |x| < 100 to a few units of the last place: exp(x / 2^9) by its series, squared nine
/// times as 1 + s, so that s keeps its digits.
dd_real exp(dd_real x)
{
    constexpr int halvings = 9;
    const dd_real r = ldexp(x, -halvings);
    dd_real term = r, s = r;
    for (int k = 2; k <= 16; ++k) {
        term = term * r / dd_real(k);
        s = s + term;
    }
    for (int k = 0; k < halvings; ++k) s = dd_real(2) * s + s * s;
    return dd_real(1) + s;
}

using grid = ddla::vector<dd_real>;

/// -F(u) in double-double, in PETSc's order of the unknowns.
grid negative_residual(const grid& u, PetscInt n)
{
    const auto number = [n](PetscInt i, PetscInt j, PetscInt k) { return i + n * (j + n * k); };
    const auto at = [&](PetscInt i, PetscInt j, PetscInt k) {
        return bratu::is_outside(i, j, k, n) ? dd_real(0) : u[number(i, j, k)];
    };
    const auto power = [](dd_real x) { return exp(x); };
    grid f(u.size());
    for (PetscInt k = 0; k < n; ++k)
        for (PetscInt j = 0; j < n; ++j)
            for (PetscInt i = 0; i < n; ++i)
                f.set(number(i, j, k), -bratu::residual_at<dd_real>(at, power, i, j, k, n));
    return f;
}

/// The digits on which all components of u and v agree, relative to each.
double common_digits(const grid& u, const grid& v)
{
    double worst = 0;
    for (ddla::index_t i = 0; i < u.size(); ++i)
        worst = std::max(worst, std::fabs(((u[i] - v[i]) / v[i]).hi));
    return worst > 0 ? -std::log10(worst) : 32;
}

/// Newton's method on a mesh of n^3 points; its systems are solved by ddla.
struct problem {
    bratu::context context;
    DM mesh;
    SNES newton;
    PC pc;
};

PetscErrorCode make(PetscInt n, problem* to)
{
    PetscFunctionBeginUser;
    KSP ksp;
    PetscCall(bratu::make_mesh(n, &to->context, &to->mesh));
    PetscCall(SNESCreate(PETSC_COMM_WORLD, &to->newton));
    PetscCall(SNESSetDM(to->newton, to->mesh));
    PetscCall(SNESSetTolerances(to->newton, 0, 1e-15, 1e-15, 20, 1000));
    PetscCall(SNESGetKSP(to->newton, &ksp));
    PetscCall(KSPSetType(ksp, KSPPREONLY));
    PetscCall(KSPGetPC(ksp, &to->pc));
    PetscCall(ddla_pc::make(to->pc));
    PetscCall(SNESSetFromOptions(to->newton));
    PetscFunctionReturn(0);
}

/// The steps of PETSc, in double.
PetscErrorCode solve_in_double(const problem& its, PetscInt n, grid& u)
{
    PetscFunctionBeginUser;
    Vec in_double;
    PetscInt steps = 0;
    const PetscScalar* found = nullptr;
    PetscCall(DMCreateGlobalVector(its.mesh, &in_double));
    PetscCall(VecSet(in_double, 0));
    PetscCall(SNESSolve(its.newton, nullptr, in_double));
    PetscCall(SNESGetIterationNumber(its.newton, &steps));
    PetscCall(VecGetArrayRead(in_double, &found));
    for (ddla::index_t i = 0; i < u.size(); ++i) u.set(i, found[i]);
    PetscCall(VecRestoreArrayRead(in_double, &found));
    PetscCall(VecDestroy(&in_double));
    std::printf("PETSc, double: %d steps of Newton, ||F|| = %.1e\n", int(steps),
                ddla::nrm2(negative_residual(u, n)).hi);
    PetscFunctionReturn(0);
}

PetscErrorCode run()
{
    PetscFunctionBeginUser;
    PetscInt n = 16;
    PetscCall(bratu::read_size(&n));

    problem its;
    SNESConvergedReason reason;
    grid u(n * n * n);
    PetscCall(make(n, &its));
    PetscCall(solve_in_double(its, n, u));
    PetscCall(SNESGetConvergedReason(its.newton, &reason));
    const grid petsc = u;
    for (int step = 1; step <= 3; ++step) {
        const grid correction = ddla_pc::of(its.pc).solve(negative_residual(u, n));
        ddla::axpy(dd_real(1), correction, u);
        std::printf("ddla, double-double: step %d, ||F|| = %.1e\n", step,
                    ddla::nrm2(negative_residual(u, n)).hi);
    }
    const grid last = ddla_pc::of(its.pc).solve(negative_residual(u, n));
    grid better = u;
    ddla::axpy(dd_real(1), last, better);
    const double before = common_digits(petsc, u), after = common_digits(u, better);
    const PetscInt m = (n - 1) / 2;
    std::printf("u in the middle: %s\n", ddla::to_string(u[m + n * (m + n * m)], 32).c_str());
    std::printf("right digits of every component: PETSc %.1f, with ddla %.1f: %.0f more\n", before,
                after, std::floor(after - before));
    PetscCall(SNESDestroy(&its.newton));
    PetscCall(DMDestroy(&its.mesh));
    PetscCheck(after - before >= 12, PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED,
               "fewer than 12 digits were gained (SNES: %s)", SNESConvergedReasons[reason]);
    PetscFunctionReturn(0);
}

}  // namespace

int main(int count, char** arguments)
{
    PetscCall(PetscInitialize(&count, &arguments, nullptr, nullptr));
    PetscCall(run());
    return PetscFinalize();
}
