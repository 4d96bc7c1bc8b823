// A PETSc preconditioner that is a solver on all ranks of its communicator: PCSHELL "ddla" iterates
// with PETSc's own ranges of rows, and the same bits for any number of ranks.
//
//     KSPSetType(ksp, KSPPREONLY);
//     KSPGetPC(ksp, &pc);
//     ddla_ranks::make(pc, {.method = ddla::method::cg, .precond = ddla::preconditioning::jacobi});
#pragma once

#include "ddla_mat.hpp"

#include <ddla/distributed.hpp>
#include <ddla/mpi.hpp>

#include <petscksp.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

class ddla_ranks {
public:
    /// Makes `pc` a shell around a ddla_ranks, which it owns.
    static PetscErrorCode make(PC pc, const ddla::solve_options& options)
    {
        PetscFunctionBeginUser;
        PetscCall(PCSetType(pc, PCSHELL));
        PetscCall(PCShellSetName(pc, "ddla"));
        PetscCall(PCShellSetContext(
            pc,
            new ddla_ranks{ddla::communicator_of(PetscObjectComm(PetscObject(pc))), options, {}}));
        PetscCall(PCShellSetSetUp(pc, set_up));
        PetscCall(PCShellSetApply(pc, apply));
        PetscCall(PCShellSetDestroy(pc, destroy));
        PetscFunctionReturn(0);
    }

private:
    ddla_ranks(std::shared_ptr<ddla::communicator> ranks, const ddla::solve_options& options,
               std::optional<ddla::distributed_matrix<double>> a)
        : ranks_(std::move(ranks)), options_(options), a_(std::move(a))
    {
    }
    static ddla_ranks& of(PC pc)
    {
        ddla_ranks* self = nullptr;
        PetscCallAbort(PETSC_COMM_SELF, PCShellGetContext(pc, &self));
        return *self;
    }

    /// The rows that PETSc has on this rank.  The order of their entries is the order of sums, and
    /// PETSc's depends on the number of ranks: here columns ascend.
    static PetscErrorCode set_up(PC pc)
    {
        PetscFunctionBeginUser;
        ddla_ranks& self = of(pc);
        Mat a, p;
        PetscInt first, end, rows, columns;
        PetscCall(PCGetOperators(pc, &a, &p));
        PetscCall(MatGetOwnershipRange(p, &first, &end));
        PetscCall(MatGetSize(p, &rows, &columns));
        std::vector<ddla::index_t> row_begin{0}, column;
        std::vector<double> value;
        for (PetscInt i = first; i < end; ++i) {
            PetscInt count;
            const PetscInt* of_row = nullptr;
            const PetscScalar* values = nullptr;
            PetscCall(MatGetRow(p, i, &count, &of_row, &values));
            std::vector<std::pair<PetscInt, double>> row;
            for (PetscInt k = 0; k < count; ++k) row.emplace_back(of_row[k], values[k]);
            std::sort(row.begin(), row.end());
            for (const auto& [j, v] : row) column.push_back(j), value.push_back(v);
            row_begin.push_back(ddla::index_t(column.size()));
            PetscCall(MatRestoreRow(p, i, &count, &of_row, &values));
        }
        PetscCall(ddla_mat::guarded([&] {
            self.a_.emplace(self.ranks_, rows, columns, std::move(row_begin), std::move(column),
                            ddla::vector<double>(value));
        }));
        PetscFunctionReturn(0);
    }

    static PetscErrorCode apply(PC pc, Vec b, Vec x)
    {
        PetscFunctionBeginUser;
        const PetscScalar* from = nullptr;
        PetscScalar* to = nullptr;
        ddla::solve_report report;
        ddla_ranks& self = of(pc);
        PetscCall(VecGetArrayRead(b, &from));
        PetscCall(VecGetArrayWrite(x, &to));
        PetscCall(ddla_mat::guarded([&] {
            const ddla::index_t n = self.a_->local_rows();
            const ddla::vector<double> mine(std::span(from, std::size_t(n)));
            ddla::vector<double> found(n);
            report = ddla::solve(*self.a_, mine, found, self.options_);
            std::copy(found.begin(), found.end(), to);
        }));
        PetscCall(VecRestoreArrayWrite(x, &to));
        PetscCall(VecRestoreArrayRead(b, &from));
        if (report.status != ddla::solve_status::converged)
            PetscCall(PCSetFailedReason(pc, PC_SUBPC_ERROR));
        PetscFunctionReturn(0);
    }
    static PetscErrorCode destroy(PC pc)
    {
        delete &of(pc);
        return 0;
    }

    std::shared_ptr<ddla::communicator> ranks_;
    ddla::solve_options options_;
    std::optional<ddla::distributed_matrix<double>> a_;
};
