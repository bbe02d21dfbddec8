// The one header that device sources may include; NVRTC gets it in memory.
#ifndef WARPDRILL_H
#define WARPDRILL_H

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;

// What a launch passes for a `map`: where TMA finds a tensor. A kernel takes it as
// `const __grid_constant__ tensor_map`.
struct alignas(64) tensor_map { char opaque[128]; };

// Smallest number of parts of size `part` that hold `whole`; both positive.
template <typename T> __host__ __device__ constexpr T wd_ceildiv(T whole, T part)
{
    return (whole + part - 1) / part;
}

#endif
