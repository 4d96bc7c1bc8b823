// The Bratu problem by PETSc's Newton method on PETSc's ranks, its linear systems by ddla on the
// same ranks: u has the same bits on any number of them.
//
//     mpirun -np 4 ./bratu_ranks [-n 24] [options of PETSc]
//
// Prints ||F(u)|| as PETSc has it, and the hash of u.
#include "bratu_problem.hpp"
#include "ddla_ranks.hpp"

#include <cstdio>

namespace {

/// The hash of u, all of which goes to rank 0.
PetscErrorCode print_hash(Vec u)
{
    PetscFunctionBeginUser;
    Vec all;
    VecScatter to_first;
    PetscInt n;
    PetscMPIInt rank;
    const PetscScalar* numbers = nullptr;
    PetscCall(VecScatterCreateToZero(u, &to_first, &all));
    PetscCall(VecScatterBegin(to_first, u, all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(to_first, u, all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGetSize(all, &n));
    PetscCall(VecGetArrayRead(all, &numbers));
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    if (rank == 0)
        std::printf("hash of u: %016llx\n", (unsigned long long)(ddla::hash_of(
                                                ddla::vector<double>(std::span(numbers, n)))));
    PetscCall(VecRestoreArrayRead(all, &numbers));
    PetscCall(VecScatterDestroy(&to_first));
    PetscCall(VecDestroy(&all));
    PetscFunctionReturn(0);
}

/// Newton's method, whose systems ddla solves.
PetscErrorCode make(DM mesh, SNES* to)
{
    PetscFunctionBeginUser;
    SNES newton;
    SNESLineSearch search;
    KSP ksp;
    PC pc;
    PetscCall(SNESCreate(PETSC_COMM_WORLD, &newton));
    PetscCall(SNESSetDM(newton, mesh));
    // PETSc's norms depend on the ranks in their last bits: full steps, and a tolerance that is met
    // by far, keep them from deciding anything.
    PetscCall(SNESGetLineSearch(newton, &search));
    PetscCall(SNESLineSearchSetType(search, SNESLINESEARCHBASIC));
    PetscCall(SNESSetTolerances(newton, 0, 1e-9, 0, 20, 1000));
    PetscCall(SNESGetKSP(newton, &ksp));
    PetscCall(KSPSetType(ksp, KSPPREONLY));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(ddla_ranks::make(pc, {.method = ddla::method::cg,
                                    .precond = ddla::preconditioning::jacobi,
                                    .tolerance = 1e-10}));
    PetscCall(SNESSetFromOptions(newton));
    *to = newton;
    PetscFunctionReturn(0);
}

PetscErrorCode run()
{
    PetscFunctionBeginUser;
    PetscInt n = 24, steps = 0;
    bratu::context context;
    DM mesh;
    SNES newton;
    Vec u;
    double norm = 0;
    SNESConvergedReason reason;
    PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-n", &n, nullptr));
    PetscCall(bratu::make_mesh(n, &context, &mesh));
    PetscCall(make(mesh, &newton));
    PetscCall(DMCreateGlobalVector(mesh, &u));
    PetscCall(VecSet(u, 0));
    PetscCall(SNESSolve(newton, nullptr, u));
    PetscCall(SNESGetIterationNumber(newton, &steps));
    PetscCall(SNESGetFunctionNorm(newton, &norm));
    PetscCall(SNESGetConvergedReason(newton, &reason));
    PetscCall(
        PetscPrintf(PETSC_COMM_WORLD, "%d steps of Newton, ||F|| = %.1e\n", int(steps), norm));
    PetscCall(print_hash(u));
    PetscCall(VecDestroy(&u));
    PetscCall(SNESDestroy(&newton));
    PetscCall(DMDestroy(&mesh));
    PetscCheck(reason > 0, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED, "%s",
               SNESConvergedReasons[reason]);
    PetscFunctionReturn(0);
}

}  // namespace

int main(int count, char** arguments)
{
    PetscCall(PetscInitialize(&count, &arguments, nullptr, nullptr));
    PetscCall(run());
    return PetscFinalize();
}
