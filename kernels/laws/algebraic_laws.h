/* The algebraic laws, each in its file: closed forms and laws that solve an equation. */
#ifndef IMPINGE_KERNELS_LAWS_ALGEBRAIC_LAWS_H
#define IMPINGE_KERNELS_LAWS_ALGEBRAIC_LAWS_H

#include "bilinear.h"
#include "brach.h"
#include "chatterjee_ruina.h"
#include "frictionless.h"
#include "smith.h"
#include "two_stage.h"
#include "whittaker.h"

#endif
