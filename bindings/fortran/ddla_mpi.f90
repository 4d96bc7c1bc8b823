! Ranks of MPI for module ddla.  Compiled with your program, as ddla_mpi_fortran.c beside it is.
!
!     use mpi
!     use ddla
!     use ddla_mpi
!     type(ddla_ranks) :: ranks
!     call ddla_join(MPI_COMM_WORLD, ranks)                ! of mpi_f08: MPI_COMM_WORLD%mpi_val
!     call ddla_csr(a, own, row_begin, column, values, ranks=ranks, all_rows=n)
!     call ddla_solve(a, b, x, info)                       ! own elements of b and x
!     call ddla_free(a)
!     call ddla_leave(ranks)                               ! before MPI_Finalize
!
! docs/ranks.md
module ddla_mpi
    use, intrinsic :: iso_c_binding
    use ddla, only: ddla_ranks
    implicit none
    private
    public :: ddla_join, ddla_leave

    interface
        integer(c_int) function c_join(of, joined, communicator, rank, ranks) &
            bind(C, name='ddla_fortran_join')
            import :: c_int, c_ptr
            integer, intent(in), value :: of
            type(c_ptr), intent(out) :: joined, communicator
            integer(c_int), intent(out) :: rank, ranks
        end function
        subroutine c_leave(joined) bind(C, name='ddla_fortran_leave')
            import :: c_ptr
            type(c_ptr), intent(in), value :: joined
        end subroutine
    end interface

contains

    ! All ranks of a communicator call it; ddla takes a duplicate.  stat: what MPI returned, 0 for
    ! success; without it a failure ends the program.
    subroutine ddla_join(of, ranks, stat)
        integer, intent(in) :: of
        type(ddla_ranks), intent(out) :: ranks
        integer, intent(out), optional :: stat
        integer(c_int) :: rank, count, status
        status = c_join(of, ranks%joined, ranks%communicator, rank, count)
        ranks%rank = rank
        ranks%ranks = count
        if (present(stat)) stat = status
        if (status /= 0 .and. .not. present(stat)) error stop 'ddla_join: MPI failed'
    end subroutine

    ! When no matrix uses them any more.
    subroutine ddla_leave(ranks)
        type(ddla_ranks), intent(inout) :: ranks
        call c_leave(ranks%joined)
        ranks = ddla_ranks()
    end subroutine

end module ddla_mpi
