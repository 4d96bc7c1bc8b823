! Calls of ddla in Fortran, printed: each method on a tridiagonal system, options, errors.
program calls
    use, intrinsic :: iso_fortran_env, only: int32, real64
    use ddla
    implicit none
    integer, parameter :: n = 60
    integer(int32) :: row_begin(n + 1), column(3 * n)
    real(real64) :: values(3 * n)
    type(ddla_matrix) :: a, singular
    type(dd_real) :: b(n), x(n)
    integer :: i, j, k, method

    k = 0
    row_begin(1) = 1
    do i = 1, n
        do j = max(1, i - 1), min(n, i + 1)
            k = k + 1
            column(k) = j
            values(k) = merge(2.5_real64, -1.0_real64, i == j)
        end do
        row_begin(i + 1) = k + 1
    end do
    call ddla_csr(a, n, row_begin, column(:k), values(:k))
    call ddla_csr(singular, 2, [1_int32, 3_int32, 5_int32], [1_int32, 2_int32, 1_int32, 2_int32], &
                  [1.0_real64, 2.0_real64, 2.0_real64, 4.0_real64])
    b = 1
    do method = 0, 8
        call show('method', a, b, method=method)
    end do
    call show('digits 25', a, b, digits=25)
    call show('digits 99', a, b, digits=99)
    call show('digits of cg', a, b, digits=10, method=3)
    call show('certify', a, b, certify=.true.)
    call show('tolerance', a, b, method=2, tolerance=1e-25_real64)
    call show('limit', a, b, method=2, max_iterations=2)
    call show('ilu', a, b, method=2, precond=3)
    call show('singular', singular, b(:2))
    call show('wrong size', a, b(:2))
    call show('no such method', a, b, method=77)
    print '(a)', ddla_text(dd(1) / dd(3), 32), ddla_text(sqrt(dd(2)), 20), ddla_text(dd(0), 5)
    call ddla_free(a)
    call ddla_free(singular)

contains

    subroutine show(what, a, b, method, precond, digits, tolerance, max_iterations, certify)
        character(*), intent(in) :: what
        type(ddla_matrix), intent(in) :: a
        type(dd_real), intent(in) :: b(:)
        integer, intent(in), optional :: method, precond, digits, max_iterations
        real(real64), intent(in), optional :: tolerance
        logical, intent(in), optional :: certify
        type(ddla_info) :: info
        character(300) :: message
        integer :: stat
        x = 0
        message = ''
        call ddla_solve(a, b, x(:size(b)), info, method, precond, tolerance, digits, max_iterations, &
                        certify, stat, message)
        if (stat /= 0) then
            print '(4a)', what, ': ', trim(message)
        else
            print '(2a, i3, l2, i6, 2es24.16, 1x, 2a)', what, ':', info%status, info%converged, &
                info%iterations, info%true_relative_residual, info%digits, 'x(1) ', ddla_text(x(1), 32)
        end if
    end subroutine

end program calls
