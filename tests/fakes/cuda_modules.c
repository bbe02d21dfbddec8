/* The fake driver's modules: a source or PTX with a marker that says what its kernels do, and
 * seconds and a seed behind it (cuda_kernels.c). */
#include "tests/fakes/cuda.h"

#include <inttypes.h>

#include "tests/fakes/cubin.h"

/* Machine code is the PTX again. */
struct CUlinkState_st { void *data; size_t bytes; };

cu_result cuLinkCreate_v2(unsigned n, int *options, void **values, cu_link *out)
{
    (void)n, (void)options, (void)values;
    CALL();
    *out = calloc(1, sizeof **out);
    return 0;
}

cu_result cuLinkAddData_v2(cu_link link, int kind, void *data, size_t bytes, const char *name,
                           unsigned n, int *options, void **values)
{
    (void)kind, (void)name, (void)n, (void)options, (void)values;
    CALL();
    link->data = memcpy(malloc(bytes), data, bytes);
    link->bytes = bytes;
    return 0;
}

cu_result cuLinkComplete(cu_link link, void **cubin, size_t *bytes)
{
    CALL();
    *cubin = link->data;
    *bytes = link->bytes;
    return 0;
}

cu_result cuLinkDestroy(cu_link link)
{
    free(link->data);
    free(link);
    CALL();
    return 0;
}

cu_result cuModuleLoadDataEx(cu_module *out, const void *image, unsigned n, int *options,
                             void **values)
{
    (void)n, (void)options, (void)values;
    CALL();
    fake_tell("load", NULL);
    if (!strncmp(image, ELFMAG, SELFMAG))
        image = (const char *)image + ((const struct cubin *)image)->head.e_entry;
    const char *marker = strstr(image, "fake: ");
    uint64_t begin = 0;
    *out = calloc(1, sizeof **out);
    (*out)->device = fake_device;
    (*out)->text = strdup(image);
    if (marker)
        sscanf(marker, "fake: %31s %lf %" SCNu64, (*out)->behaviour, &(*out)->seconds, &begin);
    if (begin)
        fake_sow(begin);
    return 0;
}

static struct CUfunc_st functions[256]; /* those of a module that is gone are free again */

cu_result cuModuleUnload(cu_module m)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].module == m)
            functions[i].module = NULL;
    free(m->text);
    free(m);
    CALL();
    fake_tell("unload", NULL);
    return 0;
}

/* Behind `.entry NAME` of PTX; NULL: it has none. */
static const char *find_entry(const char *text, const char *name)
{
    static const char entry[] = ".entry ";
    size_t n = strlen(name);
    while ((text = strstr(text, entry))) {
        text += sizeof entry - 1;
        if (!strncmp(text, name, n) && (text[n] == '(' || text[n] == ' '))
            return text + n;
    }
    return NULL;
}

static int has_three(const char *list)
{
    int n = 0;
    const char *end = strchr(list, ')');
    while ((list = strstr(list, ".param")) && list < end) {
        list++;
        n++;
    }
    return n >= 3;
}

/* Of PTX that is an image the kernels are known; one that says by no marker what it does, or that
 * has too few parameters for a transposition, takes time and does nothing. What the fake compiler
 * gives is a source, of which any name is a kernel that takes what it is given. */
cu_result cuModuleGetFunction(cu_function *out, cu_module m, const char *name)
{
    size_t i = 0, n = sizeof functions / sizeof *functions;
    const char *given = strstr(m->text, ".version "), *entry = find_entry(m->text, name);
    CALL();
    if (given && !entry)
        return CU_NOT_FOUND;
    while (i < n && functions[i].module &&
           (functions[i].module != m || strcmp(functions[i].name, name) != 0))
        i++;
    if (i == n)
        return CU_OUT_OF_MEMORY;
    *out = &functions[i];
    snprintf((*out)->name, sizeof (*out)->name, "%s", name);
    (*out)->module = m;
    (*out)->takes_three = !given || (*m->behaviour && has_three(entry));
    return 0;
}

cu_result cuFuncGetAttribute(int *out, int attribute, cu_function f)
{
    (void)f;
    CALL();
    *out = attribute == CU_FUNC_REGS ? 32 : attribute == CU_FUNC_THREADS_BLOCK ? 1024 : 0;
    return 0;
}

cu_result cuFuncSetAttribute(cu_function f, int attribute, int value)
{
    (void)f, (void)attribute, (void)value;
    CALL();
    return 0;
}

cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, cu_function f, int threads,
                                                      size_t dynamic)
{
    (void)f;
    CALL();
    *out = dynamic > SHARED_BLOCK ? 0 : 2048 / (threads > 0 ? threads : 1);
    return 0;
}
