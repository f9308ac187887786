! Contacts from Fortran: the structs of impinge/batch.h member by member, as the compiler's own
! C binding lays them out. Two spheres that collide head on and obliquely with a plane.
module impinge
  use, intrinsic :: iso_c_binding
  implicit none

  type, bind(c) :: coefficient
    type(c_ptr) :: values = c_null_ptr ! one per contact; null: value for all
    real(c_double) :: value = 0
    logical(c_bool) :: given = .false.
    integer(c_size_t) :: stride = 0
  end type

  type, bind(c) :: coefficients
    type(coefficient) :: restitution, friction, friction_static, tangential_restitution, mix
    type(coefficient) :: impulse_ratio_t1, impulse_ratio_t2, damping_fraction
    type(c_ptr) :: model = c_null_ptr
  end type

  type, bind(c) :: contacts
    integer(c_size_t) :: count = 0
    type(c_ptr) :: k11, k12, k13, k22, k23, k33, u1, u2, u3
    type(coefficients) :: coefficients
    integer(c_size_t) :: matrix_stride = 0, velocity_stride = 0
  end type

  type, bind(c) :: contact_results ! null: not wanted
    type(c_ptr) :: p1 = c_null_ptr, p2 = c_null_ptr, p3 = c_null_ptr
    type(c_ptr) :: u1_after = c_null_ptr, u2_after = c_null_ptr, u3_after = c_null_ptr
    type(c_ptr) :: work_compression = c_null_ptr, work_restitution = c_null_ptr
    type(c_ptr) :: work_friction = c_null_ptr, outcome = c_null_ptr
    integer(c_size_t) :: impulse_stride = 0, velocity_stride = 0
    integer(c_size_t) :: work_stride = 0, outcome_stride = 0
  end type

  interface
    integer(c_int) function resolve_contacts(contacts_, selection, options, results, report) &
        bind(c, name='impinge_resolve_contacts_f64')
      import
      type(contacts), intent(in) :: contacts_
      type(c_ptr), value :: selection, options, report ! null: all; the defaults; not wanted
      type(contact_results), intent(in) :: results
    end function
  end interface
end module

program spheres
  use impinge
  implicit none
  integer, parameter :: n = 2
  ! The collision matrix of a solid sphere of 1 kg: 1 along the normal, 7/2 across.
  real(c_double), target :: across(n) = 3.5d0, along(n) = 1, none(n) = 0
  real(c_double), target :: u1(n) = [0d0, 2d0], u3(n) = -1, p1(n), p3(n)
  type(contacts) :: c
  type(contact_results) :: r
  integer :: i

  c%count = n
  c%k11 = c_loc(across); c%k12 = c_loc(none); c%k13 = c_loc(none)
  c%k22 = c_loc(across); c%k23 = c_loc(none); c%k33 = c_loc(along)
  c%u1 = c_loc(u1); c%u2 = c_loc(none); c%u3 = c_loc(u3)
  c%coefficients%restitution%value = 0.5d0
  c%coefficients%friction%value = 0.1d0
  r%p1 = c_loc(p1)
  r%p3 = c_loc(p3)
  if (resolve_contacts(c, c_null_ptr, c_null_ptr, r, c_null_ptr) /= 0) error stop 'contacts cannot be resolved'
  do i = 1, n
    print '(a, f9.6, a, f8.6, a)', 'p = (', p1(i), ', ', p3(i), ')'
  end do
end program
