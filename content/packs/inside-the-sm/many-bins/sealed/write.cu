// A histogram with weights: 40 bytes a hit are read and next to nothing is written. total is zero at the
// beginning.
extern "C" __global__ void tally(unsigned *total, const float4 *front, const float4 *back, const int *kind, const int *cell,
                                 int n)
{
    // a hit has eight samples, a kind and a cell; the curve of its kind is summed over its samples, cut to whole units
    // (+ 0.5) and added to total[cell]; CELLS cells; one hit in twelve goes to the same one
}
