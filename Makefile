# warpdrill: one file, readable in one sitting.
#
#   make            build/warpdrill and build/warpdrill-runner
#   make run        installs what is missing, builds, starts the trainer
#   make test       installs what is missing, builds, proves everything (again under ASan and UBSan)
#   make check      the tests of this build alone, nothing installed
#   make bench      speed as distributions; make gpu-test needs an NVIDIA GPU
#   make portable   build/portable: both programs with all but libc linked in, to be copied to a machine with a GPU
#   make gpu-bench  our times beside those of Triton's do_bench and of ncu, and the scenarios' kernels beside PyTorch
#                   and the roofline, on an NVIDIA GPU
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
TEST_PACKAGES = libcmocka-dev libvterm-dev tmux perl python3 openssh-server openssh-client slurmctld slurmd slurm-client munge

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

.PHONY: all portable run test check bench gpu-test gpu-bench install uninstall deps deps-test clean check-layers fuzz FORCE
all: $(BUILD)/warpdrill $(BUILD)/warpdrill-runner

$(BUILD)/warpdrill: $(BUILD)/tui/main.o $(LINK_tui)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/warpdrill-runner: $(BUILD)/kernels/runner/main.o $(LINK_runner)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS_RUNNER)

# Debian has every library as an archive but libmd4c; without one, a reader of blocks alone takes its place.
PORTABLE = $(BUILD)/portable
STATIC   = $(patsubst %,-l:lib%.a,ncursesw tinfo sqlite3 yaml jansson utf8proc sodium csv)
MD4C_A   = $(filter /%,$(shell $(CC) -print-file-name=libmd4c.a))
portable: $(PORTABLE)/warpdrill $(PORTABLE)/warpdrill-runner
$(PORTABLE)/warpdrill: $(BUILD)/tui/main.o $(LINK_tui) $(if $(MD4C_A),,$(BUILD)/tui/portable/markdown.o)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(MD4C_A) $(STATIC) -lm -ldl -lpthread
$(PORTABLE)/warpdrill-runner: $(BUILD)/warpdrill-runner
	$(Q)mkdir -p $(@D) && cp $< $@

$(A)/wire.a:      $(call objects,$(WIRE))
$(A)/runner.a:    $(call objects,$(RUNNER)) $(BUILD)/gen/device_text.o
$(A)/db.a:        $(call objects,$(DB)) $(BUILD)/gen/schema.o
$(A)/scenarios.a: $(call objects,$(SCEN))
$(A)/drills.a:    $(call objects,$(DRILLS))
$(A)/tui.a:       $(call objects,$(TUI))
$(A)/%.a:
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

# One file compares our declarations with NVIDIA's headers, where a toolkit is installed; no other sees them.
TOOLKIT  = $(firstword $(patsubst %/cuda.h,%,$(wildcard $(addsuffix /include/cuda.h,$(CUDA_HOME) /usr/local/cuda))))
CFLAGS_abi_check = $(if $(TOOLKIT),-isystem $(TOOLKIT) $(addprefix -isystem ,$(wildcard $(TOOLKIT)/../extras/CUPTI/include)))

$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) $(CFLAGS_$(basename $(<F))) -c -o $@ $<
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

# ---- tests: tests/FOLDER/*_test.c links FOLDER's archives; tests/*.sh speak TAP themselves, by tests/lib ----
TESTS    = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/*/*_test.c))
SCRIPTS  = $(sort $(wildcard tests/*.sh))
FAKES    = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fakes/fake_*.c)) \
           $(patsubst %.c,$(BUILD)/%.so,$(wildcard tests/fakes/lib*.c))
BENCHES  = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
FUZZERS  = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
HARNESS  = $(call objects,$(wildcard tests/tui/screen.c))

define test_rule
$(BUILD)/tests/$(1)/%_test: $(BUILD)/tests/$(1)/%_test.o $(if $(filter tui,$(1)),$(HARNESS)) $(LINK_$(1))
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(SANFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(LDLIBS) -ldl -lcmocka -lvterm -lutil
endef
$(foreach f,wire runner db scenarios drills tui,$(eval $(call test_rule,$(f))))
$(BUILD)/tests/fakes/fake_%: $(BUILD)/tests/fakes/fake_%.o $(LINK_scenarios)
	$(Q)$(CC) $(SANFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/tests/fakes/lib%.so: tests/fakes/lib%.c tests/fakes/fake.h kernels/runner/api.h kernels/runner/abi.h $(BUILD)/flags
	$(Q)mkdir -p $(@D) && $(CC) $(filter-out -fsanitize% -fno-sanitize%,$(ALL_CFLAGS)) -fPIC -shared -o $@ $< -lm -lpthread
$(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(HARNESS) $(LINK_tui)
	$(Q)$(CC) $(SANFLAGS) -o $@ $^ $(LDLIBS) -lvterm -lutil
# The corpus is replayed in every test run; `make fuzz` searches on with clang's libFuzzer.
$(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(A)/runner.a $(LINK_scenarios)
	$(Q)$(CC) $(SANFLAGS) -o $@ $^ $(LDLIBS)
.SECONDARY:

# Tests see no progress, settings or caches of the person who runs them.
TEST_HOME = $(abspath $(BUILD))/tests/home
TEST_ENV  = HOME=$(TEST_HOME) XDG_DATA_HOME= XDG_CONFIG_HOME= XDG_CACHE_HOME= XDG_STATE_HOME= WARPDRILL_RUNNER= \
            CMOCKA_MESSAGE_OUTPUT=TAP BUILD=$(abspath $(BUILD)) WARPDRILL_BIN=$(abspath $(BUILD))/warpdrill \
            WARPDRILL_NVRTC=$(abspath $(BUILD))/tests/fakes/libfakenvrtc.so \
            ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0

check: all $(TESTS) $(FAKES) $(FUZZERS:%=$(BUILD)/tests/fuzz/replay_%)
	$(Q)$(MAKE) --no-print-directory portable || echo "  no portable build here: tests/portable.sh is skipped"
	$(Q)mkdir -p $(TEST_HOME)
	$(Q)env $(TEST_ENV) prove -j3 --exec 'timeout 600' $(SCRIPTS) $(TESTS)

test: deps-test
	$(Q)$(MAKE) --no-print-directory WERROR=1 check
	$(Q)$(MAKE) --no-print-directory WERROR=1 SAN=1 check

check-layers: all
	$(Q)BUILD=$(abspath $(BUILD)) sh tests/layers.sh

fuzz:
	$(Q)for f in $(FUZZERS); do \
	    $(MAKE) --no-print-directory BUILD=build/fuzz CC=clang CFLAGS='-O1 -g -fsanitize=fuzzer-no-link,address,undefined' build/fuzz/tests/fuzz/fuzz_$$f.o build/fuzz/lib/runner.a build/fuzz/lib/scenarios.a build/fuzz/lib/db.a build/fuzz/lib/wire.a && \
	    clang -fsanitize=fuzzer,address,undefined -o build/fuzz/fuzz_$$f build/fuzz/tests/fuzz/fuzz_$$f.o build/fuzz/lib/runner.a build/fuzz/lib/scenarios.a build/fuzz/lib/db.a build/fuzz/lib/wire.a $(LDLIBS) && \
	    mkdir -p build/fuzz/found/$$f && build/fuzz/fuzz_$$f -max_total_time=$(or $(SECONDS),30) build/fuzz/found/$$f tests/fuzz/corpus/$$f || exit 1; done

bench: all $(BENCHES) $(FAKES)
	$(Q)mkdir -p $(TEST_HOME)
	$(Q)for b in $(BENCHES); do env $(TEST_ENV) $$b || exit 1; done

gpu-test: all
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/play_live.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/timeline.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/experiments.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/hostile.sh
	$(Q)if command -v python3 >/dev/null; then python3 tests/gpu/computed.py --runner $(BUILD)/warpdrill-runner; \
	    else echo "1..0 # SKIP computed counters: python3 is not there"; fi

gpu-bench: all
	$(Q)command -v python3 >/dev/null || { echo "gpu-bench: skipped: python3 is not there"; exit 0; }; \
	python3 tests/gpu/agreement.py --runner $(BUILD)/warpdrill-runner; \
	python3 tests/gpu/library.py --runner $(BUILD)/warpdrill-runner --program $(BUILD)/warpdrill

# ---- what is missing on this machine ----
# Says which packages, asks when a person is there, installs through the system's package manager.
define install_missing
	@if ! command -v dpkg >/dev/null; then \
	    echo "warpdrill: cannot install packages here; it needs: $(1)"; exit 0; fi; \
	missing=; for p in $(1); do dpkg -s $$p 2>/dev/null | grep -q '^Status: install ok' || missing="$$missing $$p"; done; \
	[ -z "$$missing" ] && exit 0; \
	echo "warpdrill needs these packages, which are not installed:$$missing"; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	if [ -z "$(YES)$$CI" ] && [ -t 0 ]; then \
	    printf 'Install them with apt-get? [Y/n] '; read a; case $$a in n*|N*) echo "Nothing was installed."; exit 1;; esac; fi; \
	$$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null
endef
deps:
	$(call install_missing,$(PACKAGES))
deps-test:
	$(call install_missing,$(PACKAGES) $(TEST_PACKAGES))

run: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)$(BUILD)/warpdrill

install: all
	install -d $(DESTDIR)$(prefix)/bin $(DESTDIR)$(prefix)/share/warpdrill $(DESTDIR)$(prefix)/share/man/man1
	install -m 755 $(BUILD)/warpdrill $(BUILD)/warpdrill-runner $(DESTDIR)$(prefix)/bin
	cp -R content/packs content/tables content/cards content/drills content/rubrics $(DESTDIR)$(prefix)/share/warpdrill/
	install -m 644 content/SOURCES.md content/FORMAT.md content/TUTORIAL.md content/SOLVABILITY.md SECURITY.md $(DESTDIR)$(prefix)/share/warpdrill
	install -m 644 warpdrill.1 $(DESTDIR)$(prefix)/share/man/man1
uninstall:
	rm -rf $(DESTDIR)$(prefix)/share/warpdrill
	rm -f $(DESTDIR)$(prefix)/bin/warpdrill $(DESTDIR)$(prefix)/bin/warpdrill-runner $(DESTDIR)$(prefix)/share/man/man1/warpdrill.1

clean:
	rm -rf build

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
