#include "bullet_engine.h"

int main() { return engine_checks(&bullet_engine); }
