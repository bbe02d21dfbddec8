# warpdrill: one file, readable in one sitting.
#
#   make            build/warpdrill and build/warpdrill-runner
#   make run        installs what is missing, builds, starts the trainer
#   make test       installs what is missing, builds, proves everything (again under ASan and UBSan)
#   make check      the tests of this build alone, nothing installed
#   make bench      speed as distributions; make gpu-test needs an NVIDIA GPU
#   make install    prefix=/usr/local DESTDIR=
#
# V=1 shows commands, SAN=1 builds with sanitizers (under build/san), WERROR=1 makes warnings errors,
# YES=1 installs packages without asking.

CC     ?= cc
prefix ?= /usr/local
BUILD  ?= $(if $(SAN),build/san,build)
Q      := $(if $(V),,@)
say     = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

# What the system's package manager installs. The second list serves the tests alone.
PACKAGES      = gcc make pkg-config libncurses-dev libsqlite3-dev libyaml-dev libjansson-dev \
                libmd4c-dev libutf8proc-dev libcsv-dev libsodium-dev
TEST_PACKAGES = libcmocka-dev libvterm-dev tmux perl clang libclang-rt-dev mandoc

OS      := $(if $(filter Linux,$(shell uname -s)),linux,posix)
LIBS     = ncursesw sqlite3 yaml-0.1 jansson md4c libutf8proc libsodium
LDLIBS   = $(shell pkg-config --libs $(LIBS) 2>/dev/null) -lcsv -lm
LDLIBS_RUNNER = $(if $(filter linux,$(OS)),-l:libjansson.a -l:libsodium.a,-ljansson -lsodium) -lm -ldl -lpthread

CFLAGS  ?= -O2 -g
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
           -Wundef -Wvla -Wformat=2 -Wno-format-nonliteral $(if $(WERROR),-Werror)
SANFLAGS = $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
comma   := ,
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -I. $(WARN) $(SANFLAGS) $(CFLAGS) \
             -ffile-prefix-map=$(CURDIR)=. -MMD -MP $(shell pkg-config --cflags $(LIBS) 2>/dev/null)

# ---- one archive per folder; a folder links itself and what stands below it ----
objects  = $(patsubst %.c,$(BUILD)/%.o,$(1))
WIRE     = $(filter-out kernels/wire/os_%,$(wildcard kernels/wire/*.c)) kernels/wire/os_$(OS).c
RUNNER   = $(filter-out kernels/runner/main.c,$(wildcard kernels/runner/*.c))
DB       = $(wildcard db/*.c)
SCEN     = $(wildcard scenarios/*.c)
DRILLS   = $(wildcard drills/*.c)
TUI      = $(filter-out tui/main.c,$(wildcard tui/*.c))

A = $(BUILD)/lib
LINK_wire      = $(A)/wire.a
LINK_runner    = $(A)/runner.a $(A)/wire.a
LINK_db        = $(A)/db.a
LINK_scenarios = $(A)/scenarios.a $(A)/db.a $(A)/wire.a
LINK_drills    = $(A)/drills.a $(LINK_scenarios)
LINK_tui       = $(A)/tui.a $(LINK_drills)

.PHONY: all run test check bench gpu-test install uninstall deps deps-test clean check-layers fuzz
all: $(BUILD)/warpdrill $(BUILD)/warpdrill-runner

$(BUILD)/warpdrill: $(BUILD)/tui/main.o $(LINK_tui)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/warpdrill-runner: $(BUILD)/kernels/runner/main.o $(LINK_runner)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS_RUNNER)

$(A)/wire.a:      $(call objects,$(WIRE))
$(A)/runner.a:    $(call objects,$(RUNNER)) $(BUILD)/gen/device_text.o
$(A)/db.a:        $(call objects,$(DB)) $(BUILD)/gen/schema.o
$(A)/scenarios.a: $(call objects,$(SCEN))
$(A)/drills.a:    $(call objects,$(DRILLS))
$(A)/tui.a:       $(call objects,$(TUI))
$(A)/%.a:
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -c -o $@ $<
$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Text files that travel inside the program: device code of the runner, SQL of the store.
DEVICE = $(sort $(wildcard kernels/runner/device/*))
$(BUILD)/gen/device_text.c: $(DEVICE) kernels/embed.awk
	$(Q)mkdir -p $(@D) && awk -f kernels/embed.awk -v name=device_text $(DEVICE) > $@.tmp && mv $@.tmp $@
SCHEMA = $(sort $(wildcard db/*.sql))
$(BUILD)/gen/schema.c: $(SCHEMA) kernels/embed.awk
	$(Q)mkdir -p $(@D) && awk -f kernels/embed.awk -v name=schema_text $(SCHEMA) > $@.tmp && mv $@.tmp $@

# Changed flags rebuild.
$(BUILD)/flags: FORCE
	$(Q)mkdir -p $(@D); echo '$(CC) $(ALL_CFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS)' > $@
FORCE:

# ---- tests: tests/FOLDER/*_test.c links FOLDER's archives; tests/*.sh speak TAP themselves ----
TESTS_C  = $(wildcard tests/*/*_test.c)
TESTS    = $(patsubst %.c,$(BUILD)/%,$(TESTS_C))
FAKES    = $(BUILD)/tests/fakes/fake_runner $(patsubst tests/fakes/%.c,$(BUILD)/tests/fakes/%.so,$(wildcard tests/fakes/lib*.c))
SCRIPTS  = $(sort $(wildcard tests/*.sh))
TEST_LIBS = -lcmocka -lvterm -lutil

define test_rule
$(BUILD)/tests/$(1)/%_test: $(BUILD)/tests/$(1)/%_test.o $(LINK_$(1))
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(SANFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(LDLIBS) -ldl $$(TEST_LIBS)
endef
$(foreach f,wire runner db scenarios drills tui,$(eval $(call test_rule,$(f))))
$(BUILD)/tests/fakes/fake_runner: $(BUILD)/tests/fakes/fake_runner.o $(LINK_wire)
	$(Q)$(CC) $(SANFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/tests/fakes/lib%.so: tests/fakes/lib%.c
	$(call say,FAKE,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -fPIC -shared -o $@ $< -lm -lpthread
.PRECIOUS: $(BUILD)/%.o
.SECONDARY:

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
