// The Bratu problem on a mesh of PETSc, as its example SNES 14 has it.
//
//     -Laplace(u) = 6 exp(u) in the unit cube, u = 0 around it; 7 points, n^3 unknowns
#pragma once

#include <petscdmda.h>
#include <petscsnes.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bratu {

inline constexpr double lambda = 6;

/// Whether the Jacobian has its entries: then only the diagonal is set again.
struct context {
    bool is_filled = false;
};

/// F(u) at a point: h (6 u - neighbours) - lambda h^3 exp(u).  u(i, j, k) is zero around the cube;
/// `power` is exp of the numbers T.
template <class T, class At, class Power>
T residual_at(const At& u, const Power& power, PetscInt i, PetscInt j, PetscInt k, PetscInt n)
{
    const T h = T(1) / T(double(n + 1));
    const T neighbours = u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) + u(i, j + 1, k) +
                         u(i, j, k - 1) + u(i, j, k + 1);
    return h * (T(6) * u(i, j, k) - neighbours) - T(lambda) * h * h * h * power(u(i, j, k));
}

inline bool is_outside(PetscInt i, PetscInt j, PetscInt k, PetscInt n)
{
    return std::min({i, j, k}) < 0 || std::max({i, j, k}) >= n;
}

inline PetscErrorCode residual(DMDALocalInfo* info, PetscScalar*** u, PetscScalar*** f, void*)
{
    PetscFunctionBeginUser;
    const PetscInt n = info->mx;
    const auto at = [&](PetscInt i, PetscInt j, PetscInt k) {
        return is_outside(i, j, k, n) ? 0.0 : u[k][j][i];
    };
    const auto power = [](double x) { return std::exp(x); };
    for (PetscInt k = info->zs; k < info->zs + info->zm; ++k)
        for (PetscInt j = 0; j < n; ++j)
            for (PetscInt i = 0; i < n; ++i)
                f[k][j][i] = residual_at<double>(at, power, i, j, k, n);
    PetscFunctionReturn(0);
}

/// A row of the Jacobian.
inline PetscErrorCode set_row(Mat to, PetscInt i, PetscInt j, PetscInt k, PetscInt n, double u,
                              bool neighbours)
{
    PetscFunctionBeginUser;
    static constexpr std::array<std::array<PetscInt, 3>, 6> steps{
        {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}};
    const double h = 1.0 / double(n + 1);
    const MatStencil row = {k, j, i, 0};
    std::array<MatStencil, 7> columns{row};
    std::array<double, 7> values{6 * h - lambda * h * h * h * std::exp(u)};
    PetscInt entries = 1;
    for (const auto& [di, dj, dk] : steps) {
        if (!neighbours || is_outside(i + di, j + dj, k + dk, n)) continue;
        columns[entries] = {k + dk, j + dj, i + di, 0};
        values[entries++] = -h;
    }
    PetscCall(
        MatSetValuesStencil(to, 1, &row, entries, columns.data(), values.data(), INSERT_VALUES));
    PetscFunctionReturn(0);
}

/// What the linear solver multiplies by may be a shell around the matrix `to`: PETSc assembles it
/// after this.
inline PetscErrorCode jacobian(DMDALocalInfo* info, PetscScalar*** u, Mat, Mat to, void* its)
{
    PetscFunctionBeginUser;
    const PetscInt n = info->mx;
    bool& is_filled = static_cast<context*>(its)->is_filled;
    for (PetscInt k = info->zs; k < info->zs + info->zm; ++k)
        for (PetscInt j = 0; j < n; ++j)
            for (PetscInt i = 0; i < n; ++i)
                PetscCall(set_row(to, i, j, k, n, u[k][j][i], !is_filled));
    is_filled = true;
    PetscCall(MatAssemblyBegin(to, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(to, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/// A mesh of n^3 points that knows the problem; `its` must outlive it.  Ranks have slabs of it:
/// then PETSc numbers the unknowns as one process does.
inline PetscErrorCode make_mesh(PetscInt n, context* its, DM* mesh)
{
    PetscFunctionBeginUser;
    PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                           DMDA_STENCIL_STAR, n, n, n, 1, 1, PETSC_DECIDE, 1, 1, nullptr, nullptr,
                           nullptr, mesh));
    PetscCall(DMSetUp(*mesh));
    PetscCall(DMSetMatType(*mesh, MATAIJ));
    PetscCall(DMSetMatrixPreallocateOnly(*mesh, PETSC_TRUE));  // jacobian() fills it
    PetscCall(DMDASNESSetFunctionLocal(*mesh, INSERT_VALUES, DMDASNESFunction(residual), its));
    PetscCall(DMDASNESSetJacobianLocal(*mesh, DMDASNESJacobian(jacobian), its));
    PetscFunctionReturn(0);
}

/// The option -n, and that there is one process.
inline PetscErrorCode read_size(PetscInt* n)
{
    PetscFunctionBeginUser;
    PetscMPIInt processes = 1;
    PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-n", n, nullptr));
    PetscCheck(*n >= 1, PETSC_COMM_SELF, PETSC_ERR_USER, "-n: %d, but 1 is the least", int(*n));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &processes));
    PetscCheck(processes == 1, PETSC_COMM_SELF, PETSC_ERR_SUP, "this program runs in one process");
    PetscFunctionReturn(0);
}

}  // namespace bratu
