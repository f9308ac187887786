/** Bullet as the checks and the table use an engine. */
#ifndef BULLET_ENGINE_H
#define BULLET_ENGINE_H

#include "engine_scenes.h"

extern const engine bullet_engine;

#endif
