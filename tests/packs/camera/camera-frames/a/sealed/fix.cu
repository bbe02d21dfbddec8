// The k-th pixels of a warp are neighbours: a store of 32 floats is 4 sectors, where the suspect has 32. Loads of bytes 3 apart are 3
// or 4 sectors. 15 bytes a pixel at the rate of a copy: 11 frames of 1920 x 1080, 342 MB, about 85 us on an H200. Wider loads were
// not tried: 12 of the 15 bytes are stores, and these are whole.
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
