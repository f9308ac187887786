/** ODE as the checks and the table use an engine. */
#ifndef ODE_ENGINE_H
#define ODE_ENGINE_H

#include "engine_scenes.h"

extern const engine ode_engine;

#endif
