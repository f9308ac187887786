/** Pixels as a PNG file, by libpng. */
#ifndef TOOLS_PNG_FILE_H
#define TOOLS_PNG_FILE_H

#include <stdbool.h>
#include <stddef.h>

/** Whether this build has libpng. */
bool png_file_available(void);

/** Writes rows of red, green and blue from the top. Fails without libpng. */
void png_file_write(const char *path, const unsigned char *pixels, size_t width, size_t height);

#endif
