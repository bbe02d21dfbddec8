#include "warpdrill.h"

// Camera frames to network input, HWC bytes to CHW floats. One frame per blockIdx.y; each thread converts PIXELS pixels.
extern "C" __global__ void __launch_bounds__(256) hwc_to_chw(float *__restrict__ planes, const uint8_t *__restrict__ frames,
                                                             int width, int height, int pitch, float scale, float shift)
{
    const size_t pixels = (size_t)width * height, values = 3 * pixels;
    const uint8_t *frame = frames + (size_t)blockIdx.y * height * pitch;
    float *out = planes + (size_t)blockIdx.y * values;
    const size_t first = (size_t)blockIdx.x * blockDim.x * 3 * PIXELS + threadIdx.x;
    for (int k = 0; k < 3 * PIXELS; k++) {
        const size_t e = first + (size_t)k * blockDim.x;
        if (e >= values)
            return;
        const size_t x = e % width, y = e / width % height, c = e / pixels;
        out[e] = frame[y * pitch + 3 * x + c] * scale - shift;
    }
}
