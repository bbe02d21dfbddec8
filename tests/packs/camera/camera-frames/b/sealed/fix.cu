// One 32-bit division for each pixel, where the suspect has three of 64 bits for each of its three values; the channel is a loop.
// About 55 instructions a pixel instead of 400: 23e6 pixels * 55 / (132 * 128 * 1.75e9 / s) = 43 us on an H200, below the 85 us that
// 342 MB take. The same three divisions in 32 bits would still be some 200 instructions a pixel.
#include "warpdrill.h"

// Camera frames to network input, HWC bytes to CHW floats. One frame per blockIdx.y; each thread converts PIXELS pixels.
extern "C" __global__ void __launch_bounds__(256) hwc_to_chw(float *__restrict__ planes, const uint8_t *__restrict__ frames,
                                                             int width, int height, int pitch, float scale, float shift)
{
    const int pixels = width * height;
    const uint8_t *frame = frames + (size_t)blockIdx.y * height * pitch;
    float *out = planes + (size_t)blockIdx.y * 3 * pixels;
    const int first = blockIdx.x * blockDim.x * PIXELS + threadIdx.x;
    for (int k = 0; k < PIXELS; k++) {
        const int p = first + k * blockDim.x;
        if (p >= pixels)
            return;
        const int y = p / width, x = p - y * width;
        const uint8_t *rgb = frame + (size_t)y * pitch + 3 * x;
        for (int c = 0; c < 3; c++)
            out[(size_t)c * pixels + p] = rgb[c] * scale - shift;
    }
}
