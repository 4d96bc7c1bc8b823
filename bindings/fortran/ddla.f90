! ddla in Fortran: numbers in double-double, and solves of sparse systems with them.
!
!     use ddla
!     type(dd_real) :: x(n), b(n)
!     type(ddla_matrix) :: a
!     call ddla_csr(a, n, row_begin, column, values)          ! from 1; values real(8) or dd_real
!     call ddla_solve(a, b, x, info, tolerance=1e-20_8)
!
! Operations have the bits of the C++ library: each is a call of its C interface (docs/c.md), and a
! real(8) or an integer beside a dd_real becomes one first, exactly.  A matrix is destroyed by
! ddla_free.  With stat= a failing call returns a status that is not 0, with errmsg= its sentence;
! without stat= it ends the program.
module ddla
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: error_unit, int32, int64, real64, real128
    implicit none
    private

    type, bind(C), public :: dd_real
        real(c_double) :: hi = 0, lo = 0
    end type dd_real

    type, public :: ddla_matrix
        private
        type(c_ptr) :: handle = c_null_ptr
        integer(int64) :: rows = 0
        logical :: is_shared = .false. ! its rows are those of one rank among several
        integer :: not_finite = 0 ! the first value that is Inf or NaN; 0: none
    end type ddla_matrix

    ! Ranks that share the rows of matrices: ddla_join of module ddla_mpi makes them.
    type, public :: ddla_ranks
        type(c_ptr) :: communicator = c_null_ptr ! a ddla_communicator of ddla.h
        type(c_ptr) :: joined = c_null_ptr
        integer :: rank = 0, ranks = 1
    end type ddla_ranks

    ! How a solve ended; status is one of the ddla_... below, digits is NaN where not known, and
    ! estimated unless digits_proved.  normwise_digits: those of the largest component.
    ! bound, if certified, is proved: no element of x errs by more, over the largest one.
    type, public :: ddla_info
        integer :: status = -1
        logical :: converged = .false.
        integer(int64) :: iterations = 0
        real(real64) :: true_relative_residual = 0, digits = 0, seconds = 0
        logical :: certified = .false.
        real(real64) :: bound = 0
        logical :: digits_proved = .false.
        real(real64) :: normwise_digits = 0
        real(real64), allocatable :: history(:) ! after 0, 1, ... iterations, with record_history
    end type ddla_info

    ! A function that a solve tells how far it is; .false. ends the solve.
    abstract interface
        logical function ddla_watch(iterations, relative_residual, stage)
            import :: int64, real64
            integer(int64), intent(in) :: iterations
            real(real64), intent(in) :: relative_residual
            character(*), intent(in) :: stage
        end function
    end interface
    public :: ddla_watch

    type :: watcher
        procedure(ddla_watch), pointer, nopass :: tells => null()
    end type watcher

    ! What a solve will do: the stages of ddla_plan_solve.  starts_from and judged are empty where a stage
    ! does nothing to x; work and bytes are infinite without a limit.
    type, public :: ddla_stage
        character(:), allocatable :: name, does, follows, starts_from, judged, limit
        real(real64) :: work = 0, bytes = 0
        logical :: work_is_at_most = .false., bytes_are_at_most = .false.
        integer(int64) :: entries = 0, most_iterations = 0
        logical :: is_reported = .true.
    end type ddla_stage

    ! The numbers of ddla.h.
    ! Methods are written by scripts/write-methods.
    integer(c_int32_t), parameter, public :: ddla_automatic = 0, ddla_refinement = 1, &
        ddla_bicgstab = 2, ddla_cg = 3, ddla_fgmres = 4, ddla_bicgstabl = 5, ddla_minres = 6, &
        ddla_idr = 7, ddla_lsmr = 8
    integer(c_int32_t), parameter, public :: ddla_none = 0, ddla_jacobi = 1, ddla_lu = 2, &
        ddla_ilu = 3, ddla_ilut = 4, ddla_ic = 5, ddla_block_jacobi = 6, ddla_polynomial = 7
    integer(c_int32_t), parameter, public :: ddla_factors_automatic = 0, ddla_factors_in_double = 1, &
        ddla_factors_in_dd = 2
    integer(c_int32_t), parameter, public :: ddla_ordering_automatic = 0, ddla_ordering_natural = 1, &
        ddla_ordering_amd = 2, ddla_ordering_colamd = 3, ddla_ordering_rcm = 4, &
        ddla_ordering_multicolour = 5, ddla_ordering_dissection = 6
    integer(c_int32_t), parameter, public :: ddla_shift = 0, ddla_refuse = 1
    integer(c_int32_t), parameter, public :: ddla_neumann = 0, ddla_chebyshev = 1
    integer(c_int32_t), parameter, public :: ddla_converged = 0, ddla_residual_only = 7

    public :: dd, quad, ddla_csr, ddla_solve, ddla_plan_solve, ddla_free, ddla_text, ddla_dot
    public :: operator(+), operator(-), operator(*), operator(/), operator(**), operator(==), &
        operator(/=), operator(<), operator(>), operator(<=), operator(>=), assignment(=), sqrt, &
        abs, sign, min, max, minval, maxval, real, epsilon, huge, tiny, sum, matmul, dot_product, &
        norm2

    ! ---- The C functions --------------------------------------------------------------------------

    type, bind(C) :: csr_arrays
        integer(c_size_t) :: size
        integer(c_int64_t) :: rows, columns, nonzeros
        type(c_ptr) :: row_begin, column
        integer(c_int32_t) :: row_begin_bits, column_bits
        integer(c_int64_t) :: index_base
        type(c_ptr) :: hi, lo, pairs
    end type csr_arrays

    type, bind(C) :: solve_summary
        integer(c_size_t) :: size
        integer(c_int32_t) :: status, interrupted
        integer(c_int64_t) :: iterations
        real(c_double) :: relative_residual, true_relative_residual, digits, seconds, &
            iteration_seconds
        integer(c_int64_t) :: bytes_per_iteration, peak_bytes, solution_hash
        integer(c_int32_t) :: threads, place, goal, stages
        type(c_ptr) :: breakdown, history
        integer(c_int64_t) :: history_length
        real(c_double) :: normal_residual
        integer(c_int32_t) :: solution_words, certified
        real(c_double) :: bound_normwise, bound_componentwise, scaled_inverse_norm
        type(c_ptr) :: not_certified_because
        real(c_double) :: normwise_digits
        integer(c_int32_t) :: digits_proved, reserved
        type(c_ptr) :: limit
    end type solve_summary

    type, bind(C) :: solve_progress
        integer(c_size_t) :: size
        integer(c_int64_t) :: iterations
        real(c_double) :: relative_residual, done
        type(c_ptr) :: stage
    end type solve_progress

    type, bind(C) :: planned_stage
        integer(c_size_t) :: size
        type(c_ptr) :: name, does, follows, starts_from, judged
        real(c_double) :: work, bytes
        integer(c_int32_t) :: work_is_at_most, bytes_are_at_most
        integer(c_int64_t) :: most_iterations
        integer(c_int32_t) :: is_reported, reserved
        integer(c_int64_t) :: entries
        type(c_ptr) :: limit
    end type planned_stage

    interface
        pure type(dd_real) function c_add(x, y) bind(C, name='ddla_dd_add')
            import :: dd_real
            type(dd_real), intent(in), value :: x, y
        end function
        pure type(dd_real) function c_subtract(x, y) bind(C, name='ddla_dd_subtract')
            import :: dd_real
            type(dd_real), intent(in), value :: x, y
        end function
        pure type(dd_real) function c_multiply(x, y) bind(C, name='ddla_dd_multiply')
            import :: dd_real
            type(dd_real), intent(in), value :: x, y
        end function
        pure type(dd_real) function c_divide(x, y) bind(C, name='ddla_dd_divide')
            import :: dd_real
            type(dd_real), intent(in), value :: x, y
        end function
        pure type(dd_real) function c_sqrt(x) bind(C, name='ddla_dd_sqrt')
            import :: dd_real
            type(dd_real), intent(in), value :: x
        end function
        pure type(dd_real) function c_abs(x) bind(C, name='ddla_dd_abs')
            import :: dd_real
            type(dd_real), intent(in), value :: x
        end function
        pure integer(c_int32_t) function c_less(x, y) bind(C, name='ddla_dd_less')
            import :: dd_real, c_int32_t
            type(dd_real), intent(in), value :: x, y
        end function
        integer(c_int32_t) function c_format(x, digits, text, room) bind(C, name='ddla_dd_format')
            import :: dd_real, c_int32_t, c_char, c_size_t
            type(dd_real), intent(in), value :: x
            integer(c_int32_t), intent(in), value :: digits
            character(kind=c_char), intent(out) :: text(*)
            integer(c_size_t), intent(in), value :: room
        end function
        type(c_ptr) function c_last_error() bind(C, name='ddla_last_error')
            import :: c_ptr
        end function
        integer(c_size_t) function c_strlen(text) bind(C, name='strlen')
            import :: c_ptr, c_size_t
            type(c_ptr), intent(in), value :: text
        end function
        integer(c_int32_t) function c_csr_init(arrays, size) bind(C, name='ddla_csr_init')
            import :: csr_arrays, c_int32_t, c_size_t
            type(csr_arrays), intent(out) :: arrays
            integer(c_size_t), intent(in), value :: size
        end function
        integer(c_int32_t) function c_matrix_create(arrays, at, a) bind(C, name='ddla_matrix_create')
            import :: csr_arrays, c_int32_t, c_ptr
            type(csr_arrays), intent(in) :: arrays
            integer(c_int32_t), intent(in), value :: at
            type(c_ptr), intent(out) :: a
        end function
        integer(c_int32_t) function c_distributed_create(ranks, own, all_rows, alignment, a) &
            bind(C, name='ddla_distributed_create')
            import :: csr_arrays, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), intent(in), value :: ranks
            type(csr_arrays), intent(in) :: own
            integer(c_int64_t), intent(in), value :: all_rows, alignment
            type(c_ptr), intent(out) :: a
        end function
        subroutine c_distributed_destroy(a) bind(C, name='ddla_distributed_destroy')
            import :: c_ptr
            type(c_ptr), intent(in), value :: a
        end subroutine
        integer(c_int32_t) function c_distributed_multiply(a, x, y) &
            bind(C, name='ddla_distributed_multiply')
            import :: c_int32_t, c_ptr
            type(c_ptr), intent(in), value :: a, x, y
        end function
        integer(c_int32_t) function c_distributed_dot(a, x, y, result) &
            bind(C, name='ddla_distributed_dot')
            import :: c_int32_t, c_ptr, dd_real
            type(c_ptr), intent(in), value :: a, x, y
            type(dd_real), intent(out) :: result
        end function
        integer(c_int32_t) function c_distributed_nrm2(a, x, result) &
            bind(C, name='ddla_distributed_nrm2')
            import :: c_int32_t, c_ptr, dd_real
            type(c_ptr), intent(in), value :: a, x
            type(dd_real), intent(out) :: result
        end function
        subroutine c_matrix_destroy(a) bind(C, name='ddla_matrix_destroy')
            import :: c_ptr
            type(c_ptr), intent(in), value :: a
        end subroutine
        integer(c_int32_t) function c_vector_create(precision, n, at, x) &
            bind(C, name='ddla_vector_create')
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int32_t), intent(in), value :: precision, at
            integer(c_int64_t), intent(in), value :: n
            type(c_ptr), intent(out) :: x
        end function
        subroutine c_vector_destroy(x) bind(C, name='ddla_vector_destroy')
            import :: c_ptr
            type(c_ptr), intent(in), value :: x
        end subroutine
        integer(c_int32_t) function c_set_pairs(x, n, pairs) bind(C, name='ddla_vector_set_pairs')
            import :: c_int32_t, c_int64_t, c_ptr, dd_real
            type(c_ptr), intent(in), value :: x
            integer(c_int64_t), intent(in), value :: n
            type(dd_real), intent(in) :: pairs(*)
        end function
        integer(c_int32_t) function c_get_pairs(x, n, pairs) bind(C, name='ddla_vector_get_pairs')
            import :: c_int32_t, c_int64_t, c_ptr, dd_real
            type(c_ptr), intent(in), value :: x
            integer(c_int64_t), intent(in), value :: n
            type(dd_real), intent(inout) :: pairs(*)
        end function
        integer(c_int32_t) function c_dot(x, y, result) bind(C, name='ddla_dot')
            import :: c_int32_t, c_ptr, dd_real
            type(c_ptr), intent(in), value :: x, y
            type(dd_real), intent(out) :: result
        end function
        integer(c_int32_t) function c_nrm2(x, result) bind(C, name='ddla_nrm2')
            import :: c_int32_t, c_ptr, dd_real
            type(c_ptr), intent(in), value :: x
            type(dd_real), intent(out) :: result
        end function
        integer(c_int32_t) function c_spmv(alpha, a, x, beta, y) bind(C, name='ddla_spmv')
            import :: c_int32_t, c_ptr, dd_real
            type(dd_real), intent(in), value :: alpha, beta
            type(c_ptr), intent(in), value :: a, x, y
        end function
        integer(c_int32_t) function c_summary(report, s) bind(C, name='ddla_report_summary')
            import :: c_int32_t, c_ptr, solve_summary
            type(c_ptr), intent(in), value :: report
            type(solve_summary), intent(inout) :: s
        end function
        integer(c_int32_t) function c_plan_length(plan, stages) bind(C, name='ddla_plan_length')
            import :: c_int32_t, c_ptr
            type(c_ptr), intent(in), value :: plan
            integer(c_int32_t), intent(out) :: stages
        end function
        integer(c_int32_t) function c_plan_stage(plan, k, stage) bind(C, name='ddla_plan_stage')
            import :: c_int32_t, c_ptr, planned_stage
            type(c_ptr), intent(in), value :: plan
            integer(c_int32_t), intent(in), value :: k
            type(planned_stage), intent(inout) :: stage
        end function
        integer(c_int32_t) function c_plan_json(plan, json) bind(C, name='ddla_plan_json')
            import :: c_int32_t, c_ptr
            type(c_ptr), intent(in), value :: plan
            type(c_ptr), intent(out) :: json
        end function
        subroutine c_plan_destroy(plan) bind(C, name='ddla_plan_destroy')
            import :: c_ptr
            type(c_ptr), intent(in), value :: plan
        end subroutine
        subroutine c_report_destroy(report) bind(C, name='ddla_report_destroy')
            import :: c_ptr
            type(c_ptr), intent(in), value :: report
        end subroutine
    end interface

    ! ---- Numbers -----------------------------------------------------------------------------------

    interface dd
        module procedure dd_of_double, dd_of_integer, dd_of_long, dd_of_quad
    end interface
    interface assignment(=)
        module procedure set_double, set_integer, set_long, set_quad
    end interface
    interface operator(+)
        procedure add, add_double, double_add, add_integer, integer_add
    end interface
    interface operator(-)
        procedure subtract, subtract_double, double_subtract, subtract_integer, integer_subtract, &
            negate
    end interface
    interface operator(*)
        procedure multiply, multiply_double, double_multiply, multiply_integer, integer_multiply
    end interface
    interface operator(/)
        procedure divide, divide_double, double_divide, divide_integer, integer_divide
    end interface
    interface operator(**)
        procedure power
    end interface
    interface operator(==)
        procedure equal, equal_double, double_equal, equal_integer, integer_equal
    end interface
    interface operator(/=)
        procedure differ, differ_double, double_differ, differ_integer, integer_differ
    end interface
    interface operator(<)
        procedure less, less_double, double_less, less_integer, integer_less
    end interface
    interface operator(>)
        procedure greater, greater_double, double_greater, greater_integer, integer_greater
    end interface
    interface operator(<=)
        procedure at_most, at_most_double, double_at_most, at_most_integer, integer_at_most
    end interface
    interface operator(>=)
        procedure at_least, at_least_double, double_at_least, at_least_integer, integer_at_least
    end interface
    interface sqrt
        procedure root
    end interface
    interface abs
        procedure magnitude
    end interface
    interface min
        procedure smaller
    end interface
    interface max
        procedure larger
    end interface
    interface sign
        procedure with_sign
    end interface
    interface minval
        procedure smallest
    end interface
    interface maxval
        procedure largest
    end interface
    interface sum
        procedure sum_of
    end interface
    interface epsilon
        procedure unit_of_one
    end interface
    interface huge
        procedure largest_number
    end interface
    interface tiny
        procedure smallest_normal
    end interface
    interface real
        procedure nearest_double
    end interface
    interface matmul
        procedure row_sums
    end interface
    interface dot_product
        procedure ddla_dot
    end interface
    interface norm2
        procedure two_norm
    end interface
    interface ddla_csr
        procedure csr_wide_double, csr_double, csr_wide_dd, csr_dd
    end interface

contains

    include 'ddla_numbers.inc'
    include 'ddla_integers.inc'
    include 'ddla_systems.inc'
    include 'ddla_plan.inc'
    include 'ddla_solve.inc'

end module ddla
