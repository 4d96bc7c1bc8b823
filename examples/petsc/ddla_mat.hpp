// A PETSc matrix whose product is ddla's: MATSHELL "ddla", on the host or on a device.
//
//     Mat fast;
//     PetscCall(ddla_mat::make(A, ddla::device(0), ddla::sparse_format::automatic, &fast));
//     PetscCall(KSPSetOperators(ksp, fast, A));      // products by ddla, a preconditioner of A
//
// When `fast` is assembled it copies A, a matrix of type seqaij in real double numbers that must
// outlive it.  On the host it works on PETSc's own vectors; for a device it copies x there and the
// result back.
#pragma once

#include <ddla/ddla.hpp>
#include <petscmat.h>

#include <exception>
#include <vector>

class ddla_mat {
public:
    /// A shell around a ddla_mat, which it owns.
    static PetscErrorCode make(Mat a, ddla::place where, ddla::sparse_format format, Mat* to)
    {
        PetscFunctionBeginUser;
        PetscInt n = 0, m = 0;
        PetscCall(MatGetSize(a, &n, &m));
        PetscCall(MatCreateShell(PETSC_COMM_SELF, n, m, n, m, new ddla_mat(a, where, format), to));
        PetscCall(MatShellSetOperation(*to, MATOP_MULT, operation(multiply)));
        PetscCall(MatShellSetOperation(*to, MATOP_ASSEMBLY_END, operation(assembled)));
        PetscCall(MatShellSetOperation(*to, MATOP_DESTROY, operation(destroy)));
        PetscFunctionReturn(0);
    }
    static ddla_mat& of(Mat shell)
    {
        ddla_mat* self = nullptr;
        PetscCallAbort(PETSC_COMM_SELF, MatShellGetContext(shell, &self));
        return *self;
    }
    /// The copy, for products on memory of your own.
    const ddla::csr_matrix<double>& matrix() const { return a_; }

    /// A as a matrix of ddla at the host.
    static PetscErrorCode copy(Mat a, ddla::csr_matrix<double>* to)
    {
        PetscFunctionBeginUser;
        PetscInt n = 0, columns = 0;
        const PetscInt *row = nullptr, *column = nullptr;
        const PetscScalar* value = nullptr;
        PetscBool is_there = PETSC_FALSE;
        PetscCall(PetscObjectTypeCompare(PetscObject(a), MATSEQAIJ, &is_there));
        PetscCheck(is_there, PETSC_COMM_SELF, PETSC_ERR_SUP, "ddla takes matrices of type seqaij");
        PetscCall(MatGetSize(a, nullptr, &columns));
        PetscCall(MatGetRowIJ(a, 0, PETSC_FALSE, PETSC_FALSE, &n, &row, &column, &is_there));
        PetscCall(MatSeqAIJGetArrayRead(a, &value));
        PetscCall(guarded([&] {
            *to = {n, columns, std::vector<ddla::index_t>(row, row + n + 1),
                   std::vector<ddla::column_t>(column, column + row[n]),
                   ddla::vector<double>(std::span(value, std::size_t(row[n])))};
        }));
        PetscCall(MatSeqAIJRestoreArrayRead(a, &value));
        PetscCall(MatRestoreRowIJ(a, 0, PETSC_FALSE, PETSC_FALSE, &n, &row, &column, &is_there));
        PetscFunctionReturn(0);
    }
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

private:
    ddla_mat(Mat a, ddla::place where, ddla::sparse_format format)
        : from_(a), on_(where), format_{.format = format}
    {
    }
    template <class F>
    static void (*operation(F function))()
    {
        return reinterpret_cast<void (*)()>(function);
    }

    static PetscErrorCode assembled(Mat shell, MatAssemblyType)
    {
        PetscFunctionBeginUser;
        ddla_mat& self = of(shell);
        ddla::csr_matrix<double> here;
        PetscCall(copy(self.from_, &here));
        PetscCall(guarded([&] {
            const ddla::place where = self.on_.where();
            self.a_ = where.is_host() ? std::move(here) : here.to(where);
            ddla::set_format<double>(self.a_, self.format_);
            if (where.is_host() || self.x_.size() == self.a_.columns()) return;
            self.x_ = ddla::vector<double>(self.a_.columns(), where);
            self.y_ = ddla::vector<double>(self.a_.rows(), where);
        }));
        PetscFunctionReturn(0);
    }

    static PetscErrorCode multiply(Mat shell, Vec x, Vec y)
    {
        PetscFunctionBeginUser;
        const PetscScalar* from = nullptr;
        PetscScalar* to = nullptr;
        PetscCall(VecGetArrayRead(x, &from));
        PetscCall(VecGetArrayWrite(y, &to));
        PetscCall(guarded([&] { of(shell).product(from, to); }));
        PetscCall(VecRestoreArrayWrite(y, &to));
        PetscCall(VecRestoreArrayRead(x, &from));
        PetscFunctionReturn(0);
    }
    void product(const double* from, double* to)
    {
        const ddla::index_t n = a_.columns(), m = a_.rows();
        if (on_.where().is_host()) {
            ddla::spmv(on_, 1.0, a_.view(), ddla::vec<const double>(from, n), 0.0,
                       ddla::vec<double>(to, m));
            return;
        }
        ddla::copy_bytes(x_.view().word(0), x_.where(), from, ddla::host, 8 * n);
        ddla::spmv(1.0, a_, x_, 0.0, y_);
        ddla::copy_bytes(to, ddla::host, y_.view().word(0), y_.where(), 8 * m);
    }

    static PetscErrorCode destroy(Mat shell)
    {
        delete &of(shell);
        return 0;
    }

    Mat from_;
    ddla::stream on_;
    ddla::format_options format_;
    ddla::csr_matrix<double> a_;
    ddla::vector<double> x_, y_;  ///< at a device
};
