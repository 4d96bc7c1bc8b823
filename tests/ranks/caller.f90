! A program of MPI in Fortran: the hash of x on its ranks, and that of ddla_solve on rank 0.
program caller
    use mpi
    use ddla
    use ddla_mpi
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    integer, parameter :: n = 5000
    type(ddla_ranks) :: ranks
    type(dd_real) :: shared(n), alone(n), product_norm, dot
    integer :: error
    call MPI_Init(error)
    call ddla_join(MPI_COMM_WORLD, ranks)
    call solve_shared()
    if (ranks%rank == 0) then
        call solve_alone()
        if (all(shared == alone)) print '(z16.16)', transfer(shared(n)%hi, 0_int64)
    end if
    call ddla_leave(ranks)
    call MPI_Finalize(error)

contains

    ! Rows first + 1 to last of n: -1, 2.5 + 1 / i, -1.25.
    subroutine some_rows(first, last, row_begin, column, values)
        integer, intent(in) :: first, last
        integer, allocatable, intent(out) :: row_begin(:), column(:)
        real(real64), allocatable, intent(out) :: values(:)
        integer :: i, entries, rows
        rows = last - first
        allocate (row_begin(rows + 1), column(3*rows), values(3*rows))
        entries = 0
        do i = first + 1, last
            row_begin(i - first) = entries + 1
            if (i > 1) call add(entries, column, values, i - 1, -1.0_real64)
            call add(entries, column, values, i, 2.5_real64 + 1/real(i, real64))
            if (i < n) call add(entries, column, values, i + 1, -1.25_real64)
        end do
        row_begin(rows + 1) = entries + 1
        column = column(:entries)
        values = values(:entries)
    end subroutine

    subroutine add(entries, column, values, j, value)
        integer, intent(inout) :: entries, column(:)
        real(real64), intent(inout) :: values(:)
        integer, intent(in) :: j
        real(real64), intent(in) :: value
        entries = entries + 1
        column(entries) = j
        values(entries) = value
    end subroutine

    subroutine solve_shared()
        type(ddla_matrix) :: a
        type(ddla_info) :: info
        type(dd_real), allocatable :: b(:), x(:)
        integer, allocatable :: row_begin(:), column(:)
        real(real64), allocatable :: values(:)
        integer :: first, last
        first = n*ranks%rank**2/ranks%ranks**2
        last = n*(ranks%rank + 1)**2/ranks%ranks**2
        call some_rows(first, last, row_begin, column, values)
        call ddla_csr(a, last - first, row_begin, column, values, ranks=ranks, all_rows=int(n, int64))
        allocate (b(last - first), x(last - first))
        b = dd(1)
        x = dd(0)
        call refuse_on_all(a, b, x)
        call ddla_solve(a, b, x, info, method=ddla_bicgstab)
        if (.not. info%converged) error stop 'the solve on ranks has not converged'
        dot = dot_product(x, x, over=a)
        product_norm = norm2(matmul(a, x), over=a)
        call gather(x, first)
        call ddla_free(a)
    end subroutine

    ! What is wrong on the last rank is told on all.
    subroutine refuse_on_all(a, b, x)
        type(ddla_matrix), intent(in) :: a
        type(dd_real), intent(in) :: b(:)
        type(dd_real), intent(inout) :: x(:)
        type(dd_real) :: wrong(size(b))
        type(ddla_matrix) :: none
        type(ddla_info) :: info
        integer :: stat, row_begin(2), column(1)
        real(real64) :: value(1)
        wrong = b
        if (ranks%rank == ranks%ranks - 1) then
            wrong(size(b))%hi = huge(1.0_real64)
            wrong(size(b))%hi = 10*wrong(size(b))%hi
        end if
        call ddla_solve(a, wrong, x, info, method=ddla_bicgstab, stat=stat)
        if (stat /= 2) error stop 'Inf on one rank is not refused on all'
        row_begin = [1, 2]
        column = 1
        value = 1
        call ddla_csr(none, merge(1, 7, ranks%rank > 0), row_begin, column, value, ranks=ranks, &
                      all_rows=int(ranks%ranks, int64), stat=stat)
        if (stat == 0) error stop 'arrays that do not fit on one rank are not refused on all'
        call ddla_csr(none, 1, row_begin, column, value, ranks=ranks, stat=stat)
        if (stat == 0) error stop 'ranks without all_rows are not refused'
    end subroutine

    ! All of x on rank 0.
    subroutine gather(x, first)
        type(dd_real), intent(in) :: x(:)
        integer, intent(in) :: first
        real(real64) :: words(2, n), all_words(2, n)
        words = 0
        words(1, first + 1:first + size(x)) = x%hi
        words(2, first + 1:first + size(x)) = x%lo
        call MPI_Reduce(words, all_words, 2*n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
        if (ranks%rank /= 0) return
        shared%hi = all_words(1, :)
        shared%lo = all_words(2, :)
    end subroutine

    subroutine solve_alone()
        type(ddla_matrix) :: a
        type(ddla_info) :: info
        type(dd_real) :: b(n)
        integer, allocatable :: row_begin(:), column(:)
        real(real64), allocatable :: values(:)
        call some_rows(0, n, row_begin, column, values)
        call ddla_csr(a, n, row_begin, column, values)
        b = dd(1)
        alone = dd(0)
        call ddla_solve(a, b, alone, info, method=ddla_bicgstab)
        if (.not. dot == dot_product(alone, alone)) error stop 'dot_product differs'
        if (.not. product_norm == norm2(matmul(a, alone))) error stop 'A x differs'
        call ddla_free(a)
    end subroutine

end program caller
