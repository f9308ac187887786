/*
 * Declarations in the place of the {fmt} header that LAMMPS' own headers include and that Debian's
 * liblammps-dev does not ship. They let those headers compile; nothing here has a definition. So
 * only those functions of LAMMPS may be called that take whole strings: error->all(FLERR,
 * std::string(...)), never error->all(FLERR, format, arguments...).
 */
#ifndef IMPINGE_ENGINES_LAMMPS_FMT_FORMAT_H
#define IMPINGE_ENGINES_LAMMPS_FMT_FORMAT_H

namespace fmt {
inline namespace v7_lmp { /* the name that LAMMPS gives to its copy: it is part of symbols' names */

template <typename Char> class basic_string_view;
using string_view = basic_string_view<char>;

class format_args;
template <typename... Arguments, typename Format>
format_args make_args_checked(const Format &format, const Arguments &...arguments);

} // namespace v7_lmp
} // namespace fmt

#endif
