#include "kernels/runner/images.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

struct images {
    struct gpu *gpu;
    struct image *list;
    int n;
    const char *instrument; /* borrowed from the message */
};

/* A blob's bytes by the index that stands under `key`; NULL when there is none. */
static const char *blob(const struct ipc_message *m, json_t *module, const char *key, size_t *len)
{
    json_t *index = json_object_get(module, key);
    long long i = json_is_integer(index) ? json_integer_value(index) : -1;
    if (i < 0 || i >= m->n_blobs)
        return NULL;
    *len = m->lens[i];
    return m->blobs[i];
}

/* The driver's own machine code, so that its lines and instructions can be told. Where the driver
 * gives none the PTX is loaded as it is, which tells why. */
static void assemble(struct image *i, struct gpu *g)
{
    int options[] = {CU_JIT_LINES, CU_JIT_REGISTERS}, n = i->registers ? 2 : 1;
    void *values[] = {(void *)(uintptr_t)1, (void *)(uintptr_t)i->registers}, *cubin = NULL;
    cu_link link = NULL;
    size_t bytes = 0;
    if (!g->cu.cuLinkCreate_v2 || !g->cu.cuLinkAddData_v2 || !g->cu.cuLinkComplete ||
        !g->cu.cuLinkDestroy || g->cu.cuLinkCreate_v2((unsigned)n, options, values, &link))
        return;
    if (g->cu.cuLinkAddData_v2(link, CU_LINK_PTX, (void *)(uintptr_t)i->bytes, i->len + 1,
                               "image.ptx", 0, NULL, NULL) == 0 &&
        g->cu.cuLinkComplete(link, &cubin, &bytes) == 0 && cubin && bytes) {
        i->assembled = text_ndup(cubin, bytes);
        i->bytes = i->assembled;
        i->len = bytes;
        i->cubin = true;
    }
    g->cu.cuLinkDestroy(link);
}

static int read_module(struct images *images, const struct ipc_message *m, json_t *module,
                       struct err *err)
{
    size_t len = 0, ptx_len = 0;
    const char *bytes = blob(m, module, "image_blob", &len);
    const char *source = json_string_value(json_object_get(module, "source"));
    const char *device = json_string_value(json_object_get(module, "device"));
    if (!bytes || (!source && !device))
        return err_set(err, ERR_INTERNAL, "a module came without its image");
    if (device && !strcmp(device, "instrument.cu"))
        images->instrument = blob(m, module, "ptx_blob", &ptx_len);
    if (device)
        return gpu_own_load(images->gpu, device, bytes, err);
    images->list = mem_grow(images->list, (size_t)images->n + 1, sizeof *images->list);
    struct image *i = &images->list[images->n++];
    *i = (struct image){.variant = (int)json_integer_value(json_object_get(module, "variant")),
                        .registers = (int)json_integer_value(json_object_get(module, "registers")),
                        .given = json_is_true(json_object_get(module, "given")),
                        .cubin = json_is_true(json_object_get(module, "cubin")),
                        .log = json_string_value(json_object_get(module, "log")),
                        .ptx = blob(m, module, "ptx_blob", &ptx_len), .bytes = bytes, .len = len};
    snprintf(i->source, sizeof i->source, "%s", source);
    if (i->given)
        assemble(i, images->gpu);
    return 0;
}

int images_new(struct images **out, struct gpu *g, const struct ipc_message *message,
               struct err *err)
{
    struct images *images = mem_new(1, sizeof *images);
    json_t *module;
    size_t at;
    int rc = 0;
    images->gpu = g;
    json_array_foreach(json_object_get(message->head, "modules"), at, module) {
        if ((rc = read_module(images, message, module, err)))
            break;
    }
    if (rc) {
        images_free(images);
        images = NULL;
    }
    *out = images;
    return rc;
}

void images_unload(struct images *images)
{
    for (int i = 0; i < images->n; i++) {
        if (images->list[i].module && !images->gpu->lost)
            GPU(images->gpu, NULL, cuModuleUnload, images->list[i].module);
        images->list[i].module = NULL;
    }
}

void images_free(struct images *images)
{
    if (!images)
        return;
    images_unload(images);
    for (int i = 0; i < images->n; i++)
        free(images->list[i].assembled);
    free(images->list);
    free(images);
}

struct image *images_find(struct images *images, const char *source, int variant)
{
    struct image *base = NULL;
    for (int i = 0; i < images->n; i++) {
        struct image *m = &images->list[i];
        if (strcmp(m->source, source) != 0)
            continue;
        if (m->variant == variant)
            return m;
        if (m->variant == -1)
            base = m;
    }
    return base;
}

const char *images_instrument(const struct images *images)
{
    return images->instrument;
}

/* Remedies for a compiler of this machine would mislead: the image was compiled elsewhere. */
static void advise_given(int rc, cu_result r, struct err *err)
{
    const char *remedy =
        r == CU_PTX_TOO_NEW
            ? "update the driver, or have the image made again with a lower .version"
        : r == CU_INVALID_PTX || r == CU_NO_BINARY
            ? "the image must be made again: the driver's assembler refuses it as it is"
            : NULL;
    if (rc && remedy)
        err_advise(err, "cuModuleLoadDataEx", remedy);
}

static int load_module(cu_module *out, struct gpu *g, const struct image *image, bool ptx,
                       struct err *err)
{
    const void *bytes = ptx ? image->ptx : image->bytes;
    bool compiled = !image->cubin || ptx;
    char log[1024] = "";
    int options[] = {CU_JIT_LOG, CU_JIT_LOG_BYTES, CU_JIT_REGISTERS};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)image->registers};
    cu_result r = g->cu.cuModuleLoadDataEx(out, bytes, image->registers && compiled ? 3 : 2,
                                           options, values);
    int rc = gpu_check(g, r, "cuModuleLoadDataEx", err);
    if (image->given)
        advise_given(rc, r, err);
    if (rc && log[0] && err) {
        char why[sizeof err->text];
        memcpy(why, err->text, sizeof why);
        log[sizeof log - 1] = '\0';
        text_clean(log, strlen(log));
        return err_reword(err, rc, "%.900s\n%s", why, log);
    }
    return rc;
}

int image_load_again(struct gpu *g, const struct image *image, bool ptx, struct err *err)
{
    cu_module module = NULL;
    int rc = load_module(&module, g, image, ptx, err);
    if (module && !g->lost)
        GPU(g, NULL, cuModuleUnload, module);
    return rc;
}

int image_function(cu_function *out, struct images *images, struct image *image, const char *kernel,
                   struct err *err)
{
    struct gpu *g = images->gpu;
    int rc = image->module ? 0 : load_module(&image->module, g, image, false, err);
    if (rc)
        return rc;
    cu_result r = g->cu.cuModuleGetFunction(out, image->module, kernel);
    if (r == CU_NOT_FOUND)
        return err_set(err, ERR_BAD_REQUEST, "source %s has no kernel %s (is it extern \"C\"?)",
                       image->source, kernel);
    return gpu_check(g, r, "cuModuleGetFunction", err);
}

/* The image comes from our compiler, but a truncated cache file must not take the worker down. */
static const Elf64_Shdr *sections(const struct image *image, unsigned *n, const char **names,
                                  size_t *names_len)
{
    const Elf64_Ehdr *head = image->bytes;
    if (!image->cubin || image->len < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
        return NULL;
    if (head->e_shoff > image->len ||
        (image->len - head->e_shoff) / sizeof(Elf64_Shdr) < head->e_shnum ||
        head->e_shstrndx >= head->e_shnum)
        return NULL;
    const Elf64_Shdr *table = (const void *)((const char *)image->bytes + head->e_shoff);
    const Elf64_Shdr *strings = &table[head->e_shstrndx];
    if (strings->sh_offset > image->len || image->len - strings->sh_offset < strings->sh_size)
        return NULL;
    *n = head->e_shnum;
    *names = (const char *)image->bytes + strings->sh_offset;
    *names_len = strings->sh_size;
    return table;
}

/* Section .text.KERNEL; NULL when it is not to be had. */
static const unsigned char *find_code(const struct image *image, const char *kernel, size_t *bytes)
{
    unsigned n = 0;
    const char *names = NULL;
    size_t names_len = 0;
    char want[128];
    const Elf64_Shdr *table = sections(image, &n, &names, &names_len);
    int len = snprintf(want, sizeof want, ".text.%s", kernel);
    for (unsigned i = 0; table && i < n; i++) {
        size_t at = table[i].sh_name;
        if (at >= names_len || names_len - at <= (size_t)len ||
            memcmp(names + at, want, (size_t)len + 1) != 0)
            continue;
        *bytes = table[i].sh_size;
        return table[i].sh_offset <= image->len && image->len - table[i].sh_offset >= *bytes
                   ? (const unsigned char *)image->bytes + table[i].sh_offset : NULL;
    }
    return NULL;
}

size_t image_code_bytes(const struct image *image, const char *kernel)
{
    size_t bytes = 0;
    return find_code(image, kernel, &bytes) ? bytes : 0;
}

/* An instruction has 16 bytes from Volta on, with its operation in the lowest 12 bits. */
size_t image_instructions(const struct image *image, const char *kernel)
{
    enum { BYTES = 16, NOP = 0x918 };
    size_t bytes = 0;
    const unsigned char *code = find_code(image, kernel, &bytes);
    size_t n = code ? bytes / BYTES : 0;
    while (n > 0 && (code[(n - 1) * BYTES] | (code[(n - 1) * BYTES + 1] & 0xf) << 8) == NOP)
        n--;
    return n;
}

/* The lowest 9 bits are the operation from Turing to Blackwell; the 3 above them say where operands
 * come from. */
bool image_count_accesses(struct image_accesses *out, const struct image *image, const char *kernel)
{
    enum { BYTES = 16, LDG = 0x181, STG = 0x186, LDS = 0x184, STS = 0x188 };
    size_t bytes = 0;
    const unsigned char *code = find_code(image, kernel, &bytes);
    *out = (struct image_accesses){0};
    for (size_t at = 0; code && at + BYTES <= bytes; at += BYTES) {
        int operation = code[at] | (code[at + 1] & 1) << 8;
        out->global_loads += operation == LDG;
        out->global_stores += operation == STG;
        out->shared_loads += operation == LDS;
        out->shared_stores += operation == STS;
    }
    return code != NULL;
}

/* Bits of the upper half of an instruction, from Volta to Blackwell: the scoreboard of six that it
 * sets when its result is there (46 to 48, 7: none), the one that it sets when its operands were
 * read (49 to 51), and those that it waits for (52 to 57). */
struct scoreboards { unsigned result, operands, waits; };

static struct scoreboards read_scoreboards(const unsigned char *instruction)
{
    unsigned bits = 0;
    for (int i = 3; i >= 0; i--)
        bits = bits << 8 | instruction[12 + i];     /* the upper half from bit 32 on */
    return (struct scoreboards){1u << (bits >> 14 & 7), 1u << (bits >> 17 & 7), bits >> 20 & 0x3f};
}

/* SYNCS.PHASECHK asks for a phase. Code is gone through as it lies: who needs the answer stands
 * close behind who asked. */
bool *image_barrier_waits(size_t *n, const struct image *image, const char *kernel)
{
    enum { BYTES = 16, PHASECHK = 0x5a7 };
    size_t bytes = 0;
    const unsigned char *code = find_code(image, kernel, &bytes);
    bool *out = code ? mem_new(bytes / BYTES + 1, sizeof *out) : NULL;
    unsigned asked = 0; /* scoreboards that an answer will set */
    *n = code ? bytes / BYTES : 0;
    for (size_t i = 0; i < *n; i++) {
        const unsigned char *at = code + i * BYTES;
        struct scoreboards s = read_scoreboards(at);
        out[i] = s.waits & asked;
        asked &= ~(s.waits | s.result | s.operands);
        if ((at[0] | (at[1] & 0xf) << 8) == PHASECHK)
            asked |= s.result & 0x3f;
    }
    return out;
}
