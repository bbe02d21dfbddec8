#pragma once
// What the norms share.
constexpr int THREADS = 256;
__device__ inline float sq(float v) { return v * v; }
