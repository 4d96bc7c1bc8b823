// A PETSc preconditioner that is a solver: PCSHELL "ddla" iterates in double, on the host or on a
// device, where vectors stay until x is found.
//
//     KSPSetType(ksp, KSPPREONLY);
//     KSPGetPC(ksp, &pc);
//     ddla_krylov::make(pc, {.method = ddla::method::cg, .precond = ddla::preconditioning::jacobi,
//                            .tolerance = 1e-5}, ddla::device(0));
//
// A solve that does not reach the tolerance fails as other solvers of PETSc do.  ddla_pc.hpp is the
// one for all digits of x.
#pragma once

#include "ddla_mat.hpp"

#include <petscksp.h>

#include <chrono>

class ddla_krylov {
public:
    /// Makes `pc` a shell around a ddla_krylov, which it owns.
    static PetscErrorCode make(PC pc, const ddla::solve_options& options, ddla::place where,
                               ddla::sparse_format format = ddla::sparse_format::automatic)
    {
        PetscFunctionBeginUser;
        PetscCall(PCSetType(pc, PCSHELL));
        PetscCall(PCShellSetName(pc, "ddla"));
        PetscCall(PCShellSetContext(pc, new ddla_krylov(options, where, format)));
        PetscCall(PCShellSetSetUp(pc, set_up));
        PetscCall(PCShellSetApply(pc, apply));
        PetscCall(PCShellSetDestroy(pc, destroy));
        PetscFunctionReturn(0);
    }
    static ddla_krylov& of(PC pc)
    {
        ddla_krylov* self = nullptr;
        PetscCallAbort(PETSC_COMM_SELF, PCShellGetContext(pc, &self));
        return *self;
    }

    const ddla::solve_report& report() const { return report_; }  ///< of the last solve
    std::int64_t iterations() const { return iterations_; }       ///< of all solves
    double copy_seconds() const { return copy_seconds_; }         ///< of A, to its place and format

private:
    ddla_krylov(const ddla::solve_options& options, ddla::place where, ddla::sparse_format format)
        : options_(options), where_(where), format_{.format = format}
    {
    }

    static PetscErrorCode set_up(PC pc)
    {
        PetscFunctionBeginUser;
        const auto begin = std::chrono::steady_clock::now();
        ddla_krylov& self = of(pc);
        ddla::csr_matrix<double> here;
        Mat a, p;
        PetscCall(PCGetOperators(pc, &a, &p));
        PetscCall(ddla_mat::copy(p, &here));
        PetscCall(ddla_mat::guarded([&] {
            self.a_ = self.where_.is_host() ? std::move(here) : here.to(self.where_);
            ddla::set_format<double>(self.a_, self.format_);
        }));
        self.copy_seconds_ +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        PetscFunctionReturn(0);
    }

    static PetscErrorCode apply(PC pc, Vec b, Vec x)
    {
        PetscFunctionBeginUser;
        const PetscScalar* from = nullptr;
        PetscScalar* to = nullptr;
        ddla_krylov& self = of(pc);
        PetscCall(VecGetArrayRead(b, &from));
        PetscCall(VecGetArrayWrite(x, &to));
        PetscCall(ddla_mat::guarded([&] { self.solve(from, to); }));
        PetscCall(VecRestoreArrayWrite(x, &to));
        PetscCall(VecRestoreArrayRead(b, &from));
        if (self.report_.status != ddla::solve_status::converged)
            PetscCall(PCSetFailedReason(pc, PC_SUBPC_ERROR));
        PetscFunctionReturn(0);
    }
    void solve(const double* from, double* to)
    {
        const ddla::index_t n = a_.rows();
        ddla::vector<double> b(n, where_), x(n, where_);
        ddla::copy_bytes(b.view().word(0), where_, from, ddla::host, 8 * n);
        report_ = ddla::solve(a_, b, x, options_);
        iterations_ += report_.iterations;
        ddla::copy_bytes(to, ddla::host, x.view().word(0), where_, 8 * n);
    }

    static PetscErrorCode destroy(PC pc)
    {
        delete &of(pc);
        return 0;
    }

    ddla::solve_options options_;
    ddla::place where_;
    ddla::format_options format_;
    ddla::csr_matrix<double> a_;
    ddla::solve_report report_;
    std::int64_t iterations_ = 0;
    double copy_seconds_ = 0;
};
