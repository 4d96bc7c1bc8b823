! A watch that ends a solve at its third look.
module watching
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    integer :: looks = 0
contains
    logical function third_look(iterations, relative_residual, stage)
        integer(int64), intent(in) :: iterations
        real(real64), intent(in) :: relative_residual
        character(*), intent(in) :: stage
        looks = looks + 1
        third_look = looks < 3 .and. iterations >= 0 .and. relative_residual >= 0 .and. &
                     stage == 'iterate'
    end function
end module watching

! What the module computes, for bits_test.cpp, which computes the same in C++.
subroutine fortran_results(words) bind(C)
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real64, real128
    use ddla
    use watching, only: looks, third_look
    implicit none
    real(c_double), intent(out) :: words(2, 36)
    integer, parameter :: n = 40
    type(ddla_matrix) :: a, wide
    type(ddla_info) :: info
    type(ddla_stage), allocatable :: stages(:)
    character(:), allocatable :: json
    type(dd_real) :: third, x(n), b(n), y(n), values(3 * n)
    integer(int32) :: row_begin(n + 1), column(3 * n)
    integer(int64) :: long_begin(n + 1)
    real(real64) :: plain(3 * n)
    character(100) :: message
    integer :: i, k, stat

    third = dd(1) / dd(3)
    call give(1, third)
    call give(2, (third + 2.0_real64) * third - sqrt(dd(2)))
    call give(3, abs(-third / 7.0_real64))
    call give(4, dd(1.0_real128 / 3.0_real128))
    call give(5, dd(quad(third) - 1.0_real128 / 3.0_real128))

    call give(17, dd(9007199254740993_int64))
    call give(18, dd(-9223372036854775807_int64))

    ! The tridiagonal matrix [-1 4 -2], from 1 in 32 bits and in double, from 0 in 64 bits and in dd.
    k = 0
    do i = 1, n
        row_begin(i) = k + 1
        if (i > 1) call entry_of(i - 1, -1.0_real64)
        call entry_of(i, 4.0_real64)
        if (i < n) call entry_of(i + 1, -2.0_real64)
    end do
    row_begin(n + 1) = k + 1
    long_begin = row_begin - 1
    values(:k) = dd(plain(:k))
    call ddla_csr(a, n, row_begin, column(:k), plain(:k))
    call ddla_csr(wide, n, long_begin, int(column(:k), int64) - 1, values(:k), base=0)

    do i = 1, n
        b(i) = 1.0_real64 / dd(i)
    end do
    y = matmul(a, b)
    call give(6, ddla_dot(y, b))
    y = matmul(wide, b)
    call give(7, ddla_dot(y, b))

    x = 0
    call ddla_solve(a, b, x, info)
    call give(8, x(1))
    call give(9, x(n))
    words(:, 10) = [info%true_relative_residual, merge(1.0_real64, 0.0_real64, info%converged)]
    x = 0
    call ddla_solve(a, b, x, info, method=ddla_bicgstab, precond=ddla_jacobi, tolerance=1e-25_real64)
    call give(11, x(7))
    words(:, 12) = [real(info%iterations, real64), info%true_relative_residual]
    x = 0
    call ddla_solve(a, b, x, info, certify=.true.)
    words(:, 16) = [merge(info%bound, -1.0_real64, info%certified), 0.0_real64]

    ! Plans: as many stages, and in one a limit and iterations.
    call ddla_plan_solve(a, b, x, stages, json=json)
    words(:, 28) = [real(size(stages), real64), stages(1)%work]
    if (stages(1)%name /= 'factor in double' .or. stages(1)%starts_from /= '') words(1, 28) = -1
    if (stages(1)%entries /= 0 .or. stages(1)%limit /= '') words(1, 28) = -2
    call ddla_plan_solve(a, b, x, stages, method=ddla_cg, max_iterations=7, json=json)
    words(:, 29) = [real(stages(1)%most_iterations, real64), stages(1)%bytes]
    if (stages(1)%judged /= 'its recomputed residual') words(1, 29) = -1
    if (.not. stages(1)%work_is_at_most .or. stages(1)%bytes_are_at_most) words(1, 29) = -2
    call ddla_plan_solve(a, b(:3), x, stages, stat=stat, errmsg=message)
    words(:, 30) = [real(len(json), real64), real(stat * 100 + size(stages), real64)]

    ! Errors arrive as stat and errmsg.
    message = ''
    call ddla_solve(a, b(:3), x, info, stat=stat, errmsg=message)
    words(:, 13) = [real(stat, real64), real(index(message, '3'), real64)]
    column(2) = 99
    call ddla_csr(a, n, row_begin, column(:k), plain(:k), stat=stat, errmsg=message)
    words(:, 14) = [real(stat, real64), real(index(message, 'column 99 of entry 2 is not in 1 ... 40'), real64)]
    words(:, 15) = [merge(1.0_real64, 0.0_real64, third < dd(1) .and. dd(1) >= third &
                          .and. ddla_text(dd(1) / dd(4)) == '0.25'), real(third)]
    words(:, 19) = [real(count([third < 1.0_real64, third <= 1.0_real64, third /= 0.5_real64, &
                                1.0_real64 > third, 1.0_real64 >= third, 0.25_real64 < third, &
                                dd(0.5_real64) == 0.5_real64, 0.5_real64 == dd(0.5_real64), &
                                third >= 0.25_real64, third > 0.25_real64, &
                                third /= dd(real(third)), 0.25_real64 <= third, &
                                .not. 0.5_real64 /= dd(0.5_real64), &
                                min(third, dd(0.25_real64)) == 0.25_real64, &
                                max(third, dd(0.25_real64)) == third]), real64), &
                    merge(1.0_real64, 0.0_real64, dot_product(y, b) == ddla_dot(y, b))]
    call give(20, norm2(b))
    call give(21, sum(b))
    call give(22, third**7 - third**(-3) + third**0)
    call give(23, (2 * third - 1) / 3 + (third + 4) * 5 - 6 / third - (7 - third / 8))
    words(:, 24) = [real(count([third < 1, third <= 1, third /= 2, 1 > third, 1 >= third, 0 < third, &
                                dd(3) == 3, 3 == dd(3), third >= 0, third > 0, 0 <= third, &
                                .not. 3 /= dd(3), .not. third == 1, .not. 1 < third, &
                                .not. third > 1, .not. third <= 0]), real64), 0.0_real64]
    call give(25, sign(third, dd(-0.0_real64)) + 2 * sign(-third, dd(2)))
    call give(26, minval(y) + maxval(b) * 3)
    words(:, 27) = [merge(1.0_real64, 0.0_real64, epsilon(third) == 2.0_real64**(-105) .and. &
                          tiny(third) == 2.0_real64**(-969) .and. minval(b(:0)) == huge(third) .and. &
                          maxval(b(:0)) == -huge(third)), real(huge(third) - huge(1.0_real64))]

    ! Every option of C: history, given blocks, a watch that ends the solve, iterations elsewhere.
    column(2) = 2
    call ddla_csr(a, n, row_begin, column(:k), plain(:k))
    x = 0
    call ddla_solve(a, b, x, info, method=ddla_bicgstab, precond=ddla_block_jacobi, &
                    blocks=[1, 11, n + 1], record_history=.true., iterations_on=0)
    call give(31, x(3))
    words(:, 32) = [real(size(info%history), real64), info%history(size(info%history))]
    looks = 0
    x = 0
    call ddla_solve(a, b, x, info, method=ddla_cg, tolerance=0.0_real64, check_every=1, &
                    watch=third_look)
    words(:, 33) = [real(looks, real64), real(info%iterations, real64)]

    ! Messages count from 1.
    call ddla_free(wide)
    call ddla_csr(wide, n, row_begin(:n + 1) + [(merge(9, 0, i == 3), i = 1, n + 1)], &
                  [1, column(2:k)] * 0 + 1, plain(:k), stat=stat, errmsg=message)
    words(:, 34) = [real(stat, real64), &
                    real(index(message, 'row offsets fall from 15 to 9 at row 3'), real64)]
    y = b
    y(3) = dd(0) / dd(0)
    call ddla_solve(a, y, x, info, stat=stat, errmsg=message)
    words(:, 35) = [real(stat, real64), real(index(message, 'element 3 of b is Inf or NaN'), real64)]
    plain(4) = 1 / (plain(1) - plain(1))
    call ddla_csr(wide, n, row_begin, column(:k), plain(:k))
    call ddla_solve(wide, b, x, info, stat=stat, errmsg=message)
    words(:, 36) = [real(stat, real64), &
                    real(index(message, 'element 4 of the values of A is Inf'), real64)]
    call ddla_free(a)
    call ddla_free(wide)

contains

    subroutine entry_of(j, value)
        integer, intent(in) :: j
        real(real64), intent(in) :: value
        k = k + 1
        column(k) = j
        plain(k) = value
    end subroutine
    subroutine give(at, value)
        integer, intent(in) :: at
        type(dd_real), intent(in) :: value
        words(1, at) = value%hi
        words(2, at) = value%lo
    end subroutine
end subroutine
