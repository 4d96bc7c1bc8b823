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

#include <ddla/ddla.hpp>
#include <petscksp.h>

#include <exception>
#include <vector>

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
    /// Exceptions of ddla as errors of PETSc.
    template <class Work>
    static PetscErrorCode guarded(const Work& work)
    {
        try {
            work();
            return 0;
        } catch (const std::exception& e) {
            SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "ddla: %s", e.what());
        }
    }

    /// Copies the matrix that PETSc asks to solve with.
    static PetscErrorCode set_up(PC pc)
    {
        PetscFunctionBeginUser;
        Mat a, p;
        PetscInt n = 0;
        const PetscInt *row = nullptr, *column = nullptr;
        const PetscScalar* value = nullptr;
        PetscBool is_there = PETSC_FALSE;
        PetscCall(PCGetOperators(pc, &a, &p));
        PetscCall(PetscObjectTypeCompare(PetscObject(p), MATSEQAIJ, &is_there));
        PetscCheck(is_there, PETSC_COMM_SELF, PETSC_ERR_SUP, "ddla takes matrices of type seqaij");
        PetscCall(MatGetRowIJ(p, 0, PETSC_FALSE, PETSC_FALSE, &n, &row, &column, &is_there));
        PetscCall(MatSeqAIJGetArrayRead(p, &value));
        PetscCall(guarded([&] {
            std::vector<ddla::index_t> begin(row, row + n + 1);
            std::vector<ddla::column_t> columns(column, column + row[n]);
            ddla::vector<double> values(row[n]);
            for (PetscInt k = 0; k < row[n]; ++k) values.set(k, value[k]);
            of(pc).a_ = {n, n, std::move(begin), std::move(columns), std::move(values)};
        }));
        PetscCall(MatSeqAIJRestoreArrayRead(p, &value));
        PetscCall(MatRestoreRowIJ(p, 0, PETSC_FALSE, PETSC_FALSE, &n, &row, &column, &is_there));
        PetscFunctionReturn(0);
    }

    static PetscErrorCode apply(PC pc, Vec b, Vec x)
    {
        PetscFunctionBeginUser;
        const PetscScalar* from = nullptr;
        PetscScalar* to = nullptr;
        PetscCall(VecGetArrayRead(b, &from));
        PetscCall(VecGetArrayWrite(x, &to));
        PetscCall(guarded([&] {
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
