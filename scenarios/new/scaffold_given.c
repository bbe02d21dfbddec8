/* What headers that a pack cannot have would have given: written out, or missed. */
#include "scenarios/new/scaffold_source_inside.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static const char half_text[] =
    "// Half precision without cuda_fp16.h: stored in 16 bits, computed in float.\nstruct __half "
    "{\n    unsigned short bits;\n    __half() = default;\n    __device__ __half(float f) { "
    "asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(bits) : \"f\"(f)); }\n    __device__ operator float() "
    "const\n    {\n        float f;\n        asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(f) : "
    "\"h\"(bits));\n        return f;\n    }\n};\ntypedef __half half;\nstatic __device__ "
    "__forceinline__ float __half2float(__half h) { return h; }\nstatic __device__ __forceinline__ "
    "__half __float2half(float f) { return f; }\nstatic __device__ __forceinline__ __half "
    "__float2half_rn(float f) { return f; }\n";

static const char bf16_text[] =
    "// bfloat16 without cuda_bf16.h: stored in 16 bits, computed in float.\n"
    "struct __nv_bfloat16 {\n"
    "    unsigned short bits;\n"
    "    __nv_bfloat16() = default;\n"
    "    __device__ __nv_bfloat16(float f)\n"
    "    {\n"
    "        unsigned u = __float_as_uint(f);\n"
    "        bits = f != f ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16;\n"
    "    }\n"
    "    __device__ operator float() const { return __uint_as_float((unsigned)bits << 16); }\n"
    "};\n"
    "typedef __nv_bfloat16 nv_bfloat16;\n"
    "static __device__ __forceinline__ float __bfloat162float(__nv_bfloat16 b) { return b; }\n"
    "static __device__ __forceinline__ __nv_bfloat16 __float2bfloat16(float f) { return f; }\n"
    "static __device__ __forceinline__ __nv_bfloat16 __float2bfloat16_rn(float f) { return f; }\n";

/* A word that stands in the source brings a text; `is_type`: it may be the type of a parameter. */
static const struct { const char *word, *text; bool is_type;
} given[] = {
    {"int8_t", "#include \"warpdrill.h\"\n", true},
    {"uint8_t", "#include \"warpdrill.h\"\n", true},
    {"int16_t", "#include \"warpdrill.h\"\n", true},
    {"uint16_t", "#include \"warpdrill.h\"\n", true},
    {"int32_t", "#include \"warpdrill.h\"\n", true},
    {"uint32_t", "#include \"warpdrill.h\"\n", true},
    {"int64_t", "#include \"warpdrill.h\"\n", true},
    {"uint64_t", "#include \"warpdrill.h\"\n", true},
    {"wd_ceildiv", "#include \"warpdrill.h\"\n", false},
    {"uint", "typedef unsigned int uint;\n", true},
    {"uchar", "typedef unsigned char uchar;\n", true},
    {"half", half_text, true},
    {"__half", half_text, true},
    {"__nv_bfloat16", bf16_text, true},
    {"nv_bfloat16", bf16_text, true},
    {"FLT_MAX", "#define FLT_MAX 3.402823466e+38f\n", false},
    {"FLT_MIN", "#define FLT_MIN 1.175494351e-38f\n", false},
    {"FLT_EPSILON", "#define FLT_EPSILON 1.192092896e-07f\n", false},
    {"DBL_MAX", "#define DBL_MAX 1.7976931348623158e+308\n", false},
    {"INFINITY", "#define INFINITY __int_as_float(0x7f800000)\n", false},
    {"NAN", "#define NAN __int_as_float(0x7fffffff)\n", false},
    {"INT_MAX", "#define INT_MAX 2147483647\n", false},
    {"INT_MIN", "#define INT_MIN (-2147483647 - 1)\n", false},
    {"UINT_MAX", "#define UINT_MAX 4294967295u\n", false},
    {"M_PI", "#define M_PI 3.14159265358979323846\n", false},
};

/* Words that need a header which a pack cannot have. */
static const char *const lost[] = {"std",
                                   "cooperative_groups",
                                   "cg",
                                   "cub",
                                   "thrust",
                                   "nvcuda",
                                   "wmma",
                                   "curandState",
                                   "curand_uniform",
                                   "cuda",
                                   "half2",
                                   "__half2",
                                   "__nv_bfloat162",
                                   "cudaTextureObject_t",
                                   "__pipeline_memcpy_async",
                                   "__pipeline_commit",
                                   "__pipeline_wait_prior"};

static bool defines(const struct source *s, const char *word)
{
    for (int i = 0; i < s->n_aliases; i++)
        if (!strcmp(s->aliases[i].name, word))
            return true;
    return false;
}

/* Does the word stand there as what a header gives? Where a variable has its name, as in `int half
 * = n / 2`, only what is surely a type counts: `half x`, `<half>`. */
static bool is_used(const char *code, const char *word)
{
    size_t n = strlen(code);
    bool used = false, type = false, variable = false;
    for (size_t at = 0, next; (at = code_find(code, at, n, word)) < n; at = next) {
        next = code_skip(code, at + strlen(word), n);
        bool listed = at > 0 && code[at - 1] == '<' && strchr(",>", code[next]);
        used = true;
        type = type || listed || code_is_word(code[next]);
        variable = variable || (code[next] == '=' && code[next + 1] != '=');
    }
    return variable ? type : used;
}

/* Each text once, in the order of the table. */
char *given_prelude(const struct source *s, const char *code, bool types_only)
{
    char *out = text_dup("");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        bool wanted = is_used(code, given[i].word) && !defines(s, given[i].word) &&
                      (given[i].is_type || !types_only);
        if (!wanted || strstr(out, given[i].text))
            continue;
        char *longer = text_format("%s%s", out, given[i].text);
        free(out);
        out = longer;
    }
    return out;
}

void given_warn_lost(struct source *s, const char *code)
{
    size_t n = strlen(code);
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        size_t at = code_find(code, 0, n, lost[i]);
        int line, col;
        if (at == n || defines(s, lost[i]))
            continue;
        source_place(s, at, &line, &col);
        source_note(s, line,
                    "`%s` needs a header that a pack cannot have, and will not compile: write out "
                    "what it does",
                    lost[i]);
    }
}
