/** All of it is in criterion.h. */
#include <criterion/criterion.h>
