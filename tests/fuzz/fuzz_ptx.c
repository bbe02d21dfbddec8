/* Any bytes as PTX: refused with a place, or read with kernels that have names and bounds. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "kernels/wire/ptx_scan.h"
#include "kernels/wire/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptx_text t;
    struct err err = {0};
    int line, column;
    if (ptx_scan(&t, (const char *)data, size, &err)) {
        assert(err.code < 0 && token_error_place(&err, &line, &column) > err.text);
        return 0;
    }
    assert(t.n_kernels > 0 && t.arch >= 10);
    for (int i = 0; i < t.n_kernels; i++)
        assert(*t.kernels[i].name && ptx_text_kernel(&t, t.kernels[i].name));
    ptx_text_free(&t);
    return 0;
}
