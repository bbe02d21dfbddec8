__device__ float twice(float x) { return 2 * x; }
int main() { return 0; }
