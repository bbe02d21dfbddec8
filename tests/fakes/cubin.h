/* A cubin as small as can be: an ELF file with the section .text.move, of up to eight instructions.
 * A text may stand behind it, from e_entry on. */
#ifndef FAKE_CUBIN_H
#define FAKE_CUBIN_H

#include <elf.h>
#include <stddef.h>
#include <string.h>

enum { CUBIN_ROOM = 8 };
struct cubin {
    Elf64_Ehdr head;
    Elf64_Shdr sections[3];
    char names[32];
    unsigned char code[CUBIN_ROOM][16];
};

/* Of n instructions, all zero. */
static inline void cubin_make(struct cubin *c, int n)
{
    static const char names[] = "\0.shstrtab\0.text.move";
    *c = (struct cubin){.head = {.e_ident = ELFMAG,
                                 .e_entry = sizeof *c,
                                 .e_shoff = offsetof(struct cubin, sections),
                                 .e_shentsize = sizeof *c->sections,
                                 .e_shnum = 3,
                                 .e_shstrndx = 1}};
    c->sections[1] = (Elf64_Shdr){.sh_name = 1,
                                  .sh_offset = offsetof(struct cubin, names),
                                  .sh_size = sizeof c->names};
    c->sections[2] = (Elf64_Shdr){.sh_name = 11,
                                  .sh_offset = offsetof(struct cubin, code),
                                  .sh_size = 16 * (Elf64_Xword)n};
    memcpy(c->names, names, sizeof names);
}

/* Instruction `at` by its two halves, as ptxas writes them. */
static inline void cubin_put(struct cubin *c, int at, unsigned long long high,
                             unsigned long long low)
{
    memcpy(c->code[at], &low, sizeof low);
    memcpy(c->code[at] + sizeof low, &high, sizeof high);
}

/* Four instructions from `at` on: what ptxas 13.0 makes of mbarrier.try_wait for sm_90a, which is a
 * question that sets scoreboard 1 and the branch that waits for it; then a load that sets
 * scoreboard 2, and a sum that waits for both. */
static inline void cubin_put_wait(struct cubin *c, int at)
{
    cubin_put(c, at, 0x000e64000800017f, 0x01800006070075a7);     /* SYNCS.PHASECHK */
    cubin_put(c, at + 1, 0x002fec0003800000, 0x0000000c00008947); /* @!P0 BRA */
    cubin_put(c, at + 2, 0x000ea8000c1e1900, 0x0000000406067981); /* LDG */
    cubin_put(c, at + 3, 0x006fc80000000000, 0x0000000106067221); /* FADD */
}

#endif
