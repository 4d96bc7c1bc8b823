! A simply supported beam under an even load, in Fortran: T**2 u = 24 with T = tridiag(-1, 2, -1).
!
!     gfortran -ffp-contract=off -I DIR DIR/ddla.f90 beam.f90 -lddla_c     DIR: share/ddla/fortran
!
! u(i) = i**4 - 2 m i**3 + m**3 i + i (m - i) with m = n + 1 is the exact solution.  The condition
! number is 2.6e16: SuperLU in double leaves two right digits.
program beam
    use, intrinsic :: iso_fortran_env, only: int32, int64, real64
    use ddla
    implicit none
    integer, parameter :: n = 20000
    integer(int64), parameter :: m = n + 1
    real(real64), parameter :: stencil(-2:2) = [1, -4, 6, -4, 1]
    integer(int32) :: row_begin(n + 1), column(5 * n)
    real(real64) :: values(5 * n)
    type(dd_real), allocatable :: b(:), x(:)
    type(ddla_matrix) :: a
    type(ddla_info) :: info
    integer(int64) :: i, u
    integer :: j, k
    real(real64) :: worst

    k = 0
    row_begin(1) = 1
    do i = 1, n
        do j = max(-2, 1 - int(i)), min(2, n - int(i))
            k = k + 1
            column(k) = int(i) + j
            values(k) = stencil(j)
            if (j == 0 .and. (i == 1 .or. i == n)) values(k) = 5
        end do
        row_begin(i + 1) = k + 1
    end do

    allocate (b(n), x(n))
    b = 24
    x = 0
    call ddla_csr(a, n, row_begin, column(:k), values(:k))
    call ddla_solve(a, b, x, info, digits=25)
    if (info%converged) print '(3a, f4.1)', 'u(1) = ', ddla_text(x(1), 25), ', digits: ', info%digits

    worst = 0
    do i = 1, n
        u = i**4 - 2 * m * i**3 + m**3 * i + i * (m - i)
        worst = max(worst, abs(real((x(i) - dd(u)) / dd(u))))
    end do
    print '(a, es8.1)', 'largest relative error:', worst
    call ddla_free(a)
    if (.not. info%converged .or. worst > 1e-25_real64) error stop 1
end program beam
