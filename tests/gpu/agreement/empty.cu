// What a tool reads for no work at all.
extern "C" __global__ void empty() {}
