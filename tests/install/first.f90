! The first impulse from Fortran: the structs of impinge/batch.h, member by member.
module impinge
  use, intrinsic :: iso_c_binding
  implicit none

  type, bind(c) :: coefficient
    type(c_ptr) :: values = c_null_ptr
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
    integer(c_size_t) :: first = 0, count = 0
    type(c_ptr) :: k11, k12, k13, k22, k23, k33, u1, u2, u3
    type(coefficients) :: coefficients
    integer(c_size_t) :: matrix_stride = 0, velocity_stride = 0
  end type

  type, bind(c) :: contact_results
    type(c_ptr) :: p1 = c_null_ptr, p2 = c_null_ptr, p3 = c_null_ptr
    type(c_ptr) :: u1_after = c_null_ptr, u2_after = c_null_ptr, u3_after = c_null_ptr
    type(c_ptr) :: work_compression = c_null_ptr, work_restitution = c_null_ptr
    type(c_ptr) :: work_friction = c_null_ptr, outcome = c_null_ptr
    integer(c_size_t) :: impulse_stride = 0, velocity_stride = 0, work_stride = 0
    integer(c_size_t) :: outcome_stride = 0
  end type

  interface
    integer(c_int) function resolve_contacts(contacts_, options, results, report) &
        bind(c, name='impinge_resolve_contacts_f64')
      import
      type(contacts), intent(in) :: contacts_
      type(c_ptr), value :: options, report ! null: the defaults; not wanted
      type(contact_results), intent(in) :: results
    end function
  end interface
end module

program first
  use impinge
  implicit none
  real(c_double), target :: k11(1) = 3.5d0, k33(1) = 1, none(1) = 0, u1(1) = 0.7d0, u3(1) = -1
  real(c_double), target :: p1(1), p3(1)
  type(contacts) :: c
  type(contact_results) :: r

  c%count = 1
  c%k11 = c_loc(k11); c%k12 = c_loc(none); c%k13 = c_loc(none)
  c%k22 = c_loc(k11); c%k23 = c_loc(none); c%k33 = c_loc(k33)
  c%u1 = c_loc(u1); c%u2 = c_loc(none); c%u3 = c_loc(u3)
  c%coefficients%restitution%value = 0.5d0
  c%coefficients%friction%value = 0.1d0
  r%p1 = c_loc(p1)
  r%p3 = c_loc(p3)
  if (resolve_contacts(c, c_null_ptr, r, c_null_ptr) /= 0) error stop
  print '(f9.6, 1x, f8.6)', p1, p3
end program
