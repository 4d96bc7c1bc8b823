// A PETSc preconditioner that is a solver: PCSHELL "ddla" solves A x = b to double-double.
//
//     KSPSetType(ksp, KSPPREONLY);
//     KSPGetPC(ksp, &pc);
//     ddla_pc::make(pc);                              // in place of an LU
//     ddla_pc::of(pc).solve(b)                        // the same matrix, b and x in double-double
//
// PETSc keeps vectors in double and gets the high words of x.  For matrices of type seqaij in real
// double numbers.
#pragma once

#include "ddla_mat.hpp"

#include <petscksp.h>

class ddla_pc {
public:
    /// Makes `pc` a shell around a ddla_pc, which it owns.
    static PetscErrorCode make(PC pc)
    {
        PetscFunctionBeginUser;
        PetscCall(PCSetType(pc, PCSHELL));
        PetscCall(PCShellSetName(pc, "ddla"));
        PetscCall(PCShellSetContext(pc, new ddla_pc));
        PetscCall(PCShellSetSetUp(pc, set_up));
        PetscCall(PCShellSetApply(pc, apply));
        PetscCall(PCShellSetDestroy(pc, destroy));
        PetscFunctionReturn(0);
    }
    static ddla_pc& of(PC pc)
    {
        ddla_pc* self = nullptr;
        PetscCallAbort(PETSC_COMM_SELF, PCShellGetContext(pc, &self));
        return *self;
    }

    /// A x = b with the matrix of the last set-up, in double-double.
    ddla::vector<ddla::dd_real> solve(const ddla::vector<ddla::dd_real>& b)
    {
        ddla::vector<ddla::dd_real> x(a_.rows());
        report_ = ddla::solve(a_, b, x, {.digits = 25});
        return x;
    }
    const ddla::solve_report& report() const { return report_; }

private:
    /// Copies the matrix that PETSc asks to solve with.
    static PetscErrorCode set_up(PC pc)
    {
        PetscFunctionBeginUser;
        Mat a, p;
        PetscCall(PCGetOperators(pc, &a, &p));
        PetscCall(ddla_mat::copy(p, &of(pc).a_));
        PetscFunctionReturn(0);
    }

    static PetscErrorCode apply(PC pc, Vec b, Vec x)
    {
        PetscFunctionBeginUser;
        const PetscScalar* from = nullptr;
        PetscScalar* to = nullptr;
        PetscCall(VecGetArrayRead(b, &from));
        PetscCall(VecGetArrayWrite(x, &to));
        PetscCall(ddla_mat::guarded([&] {
            ddla_pc& self = of(pc);
            ddla::vector<ddla::dd_real> right(self.a_.rows());
            for (ddla::index_t i = 0; i < right.size(); ++i) right.set(i, from[i]);
            const ddla::vector<ddla::dd_real> solved = self.solve(right);
            for (ddla::index_t i = 0; i < right.size(); ++i) to[i] = solved[i].hi;
        }));
        PetscCall(VecRestoreArrayWrite(x, &to));
        PetscCall(VecRestoreArrayRead(b, &from));
        PetscFunctionReturn(0);
    }

    static PetscErrorCode destroy(PC pc)
    {
        delete &of(pc);
        return 0;
    }

    ddla::csr_matrix<double> a_;
    ddla::solve_report report_;
};
