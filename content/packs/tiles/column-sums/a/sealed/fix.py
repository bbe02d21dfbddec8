import triton
import triton.language as tl


CONFIG = triton.Config({"ROWS": 64, "COLS": 128}, num_warps=4)


@triton.jit
def sums(total, x, rows, cols, ROWS: tl.constexpr, COLS: tl.constexpr):
    at = tl.program_id(1) * COLS + tl.arange(0, COLS)
    sum = tl.zeros((COLS,), dtype=tl.float32)
    for first in range(tl.program_id(0) * ROWS, rows, tl.num_programs(0) * ROWS):
        row = first + tl.arange(0, ROWS)
        inside = (row[:, None] < rows) & (at[None, :] < cols)
        sum += tl.sum(tl.load(x + row[:, None] * cols + at[None, :], mask=inside, other=0.0), axis=0)
    tl.atomic_add(total + at, sum, mask=at < cols)
