#include "ode_engine.h"

int main(void) { return engine_checks(&ode_engine); }
