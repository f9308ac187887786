#include "png_file.h"

#include <stdlib.h>

#include "support/fail.h"
#include "support/output.h"

#ifdef HAVE_LIBPNG
#include <png.h>

bool png_file_available(void) { return true; }

void png_file_write(const char *path, const unsigned char *pixels, size_t width, size_t height) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    unsigned char *file = allocate(size, 1);
    if (!png_image_write_to_memory(&image, file, &size, 0, pixels, 0, NULL))
        fail("cannot make %s: %s", path, image.message);
    output_open(path);
    output_write((span){(const char *)file, size});
    output_finish();
    free(file);
}
#else
bool png_file_available(void) { return false; }

void png_file_write(const char *path, const unsigned char *pixels, size_t width, size_t height) {
    (void)pixels;
    (void)width;
    (void)height;
    fail("%s: this build has no libpng; write a .svg instead", path);
}
#endif
