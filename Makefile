# warpdrill: one file, readable in one sitting.
#
#   make            build/warpdrill and build/warpdrill-runner
#   make run        installs what is missing, builds, starts the trainer
#   make test       installs what is missing, builds, proves everything (again under ASan and UBSan)
#   make check      the tests of this build alone, nothing installed
#   make soak       TIMES=20 LOOPS=N: the tests that draw and link, again and again beside N busy loops (twice
#                   the cores), and a table of how often each failed; SOAK="..." names others
#   make bench      speed as distributions; make gpu-test needs an NVIDIA GPU
#   make portable   build/portable: both programs with all but libc linked in, to be copied to a machine with a GPU
#   make gpu-bench  our times beside those of Triton's do_bench and of ncu, and the scenarios' kernels beside PyTorch
#                   and the roofline, on an NVIDIA GPU
#   make install    prefix=/usr/local DESTDIR=
#
# V=1 shows commands, SAN=1 builds with sanitizers (under build/san; without warnings), WERROR=1 makes warnings errors,
# YES=1 installs packages without asking.

.DEFAULT_GOAL = all

CC     ?= cc
prefix ?= /usr/local
BUILD  ?= $(if $(SAN),build/san,build)
Q      := $(if $(V),,@)
say     = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

# What the system's package manager installs. The second list serves the tests alone.
PACKAGES      = gcc make pkg-config libncurses-dev libsqlite3-dev libyaml-dev libjansson-dev \
                libutf8proc-dev libcsv-dev libsodium-dev
TEST_PACKAGES = libcmocka-dev libvterm-dev tmux perl python3 openssh-server openssh-client slurmctld slurmd slurm-client munge

OS      := $(if $(filter Linux,$(shell uname -s)),linux,posix)
LIBS     = ncursesw sqlite3 yaml-0.1 jansson libutf8proc libsodium
LDLIBS   = $(shell pkg-config --libs $(LIBS) 2>/dev/null) -lcsv -lm
LDLIBS_RUNNER = $(if $(filter linux,$(OS)),-l:libjansson.a -l:libsodium.a,-ljansson -lsodium) -lm -ldl -lpthread

CFLAGS  ?= $(if $(SAN),-O1 -g1,-O2 -g)
# Warnings are the plain build's: what inlining and the sanitizers' own code lead to is no finding.
WARN     = $(if $(SAN),,-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
           -Wundef -Wvla -Wformat=2 -Wno-format-nonliteral $(if $(WERROR),-Werror))
SANFLAGS = $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
# Sanitized programs have 100,000 pointers to their own checks. Linked to one place, a start relocates none of them.
SANLINK  = $(if $(SAN),$(SANFLAGS) -no-pie)
comma   := ,
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -I. $(WARN) $(SANFLAGS) $(CFLAGS) \
             -ffile-prefix-map=$(CURDIR)=. -MMD -MP $(shell pkg-config --cflags $(LIBS) 2>/dev/null)

# ---- rooms, lowest first: each is an archive and sees those before it; tests/layers.sh prints the house ----
ROOMS = kernels/wire db \
        $(addprefix scenarios/,text formula pack evidence library supply play record new check mend interview report link) \
        $(addprefix drills/,question figure library memory progress transfer) \
        $(addprefix tui/,kit app practice mend play home interview commands)
objects  = $(patsubst %.c,$(BUILD)/%.o,$(1))
sources  = $(filter-out %/main.c kernels/wire/os_%,$(wildcard $(1)/*.c)) $(MORE_$(1))
MORE_kernels/wire = kernels/wire/os_$(OS).c

A        = $(BUILD)/lib
archive  = $(A)/$(subst /,-,$(1)).a
# LINK_ROOM: the room's archive and those of all rooms below it.
define room
$(call archive,$(1)): $(call objects,$(call sources,$(1)))
LINK_$(1) := $(call archive,$(1)) $$(BELOW)
BELOW     := $$(LINK_$(1))
endef
$(foreach r,$(ROOMS),$(eval $(call room,$(r))))
$(call archive,kernels/runner): $(call objects,$(call sources,kernels/runner)) $(BUILD)/gen/device_text.o
$(call archive,db): $(BUILD)/gen/schema.o
$(call archive,scenarios/new): $(BUILD)/gen/drafts.o
LINK_kernels/runner = $(call archive,kernels/runner) $(LINK_kernels/wire)
LINK_tui = $(LINK_tui/commands)

.PHONY: all portable run test check soak bench gpu-test gpu-bench install uninstall deps deps-test clean check-layers fuzz fuzzers FORCE
all: $(BUILD)/warpdrill $(BUILD)/warpdrill-runner

$(BUILD)/warpdrill: $(BUILD)/tui/commands/main.o $(LINK_tui)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANLINK) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/warpdrill-runner: $(BUILD)/kernels/runner/main.o $(LINK_kernels/runner)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANLINK) $(LDFLAGS) -o $@ $^ $(LDLIBS_RUNNER)

PORTABLE = $(BUILD)/portable
STATIC   = $(patsubst %,-l:lib%.a,ncursesw tinfo sqlite3 yaml jansson utf8proc sodium csv)
portable: $(PORTABLE)/warpdrill $(PORTABLE)/warpdrill-runner
$(PORTABLE)/warpdrill: $(BUILD)/tui/commands/main.o $(LINK_tui)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(SANLINK) $(LDFLAGS) -o $@ $^ $(STATIC) -lm -ldl -lpthread
$(PORTABLE)/warpdrill-runner: $(BUILD)/warpdrill-runner
	$(Q)mkdir -p $(@D) && cp $< $@

$(A)/%.a:
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

# One file compares our declarations with NVIDIA's headers, where a toolkit is installed; no other sees them.
TOOLKIT  = $(firstword $(patsubst %/cuda.h,%,$(wildcard $(addsuffix /include/cuda.h,$(CUDA_HOME) /usr/local/cuda))))
CFLAGS_abi_check = $(if $(TOOLKIT),-isystem $(TOOLKIT) $(addprefix -isystem ,$(wildcard $(TOOLKIT)/../extras/CUPTI/include)))

# Every test gets a state from cmocka, and few look at it.
CFLAGS_TESTS = -Wno-unused-parameter

$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) $(CFLAGS_$(basename $(<F))) $(if $(filter tests/%,$<),$(CFLAGS_TESTS)) -c -o $@ $<
$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Text files that travel inside the program: device code of the runner, SQL of the store, what a new scenario begins with.
DEVICE = $(sort $(wildcard kernels/runner/device/*))
$(BUILD)/gen/device_text.c: $(DEVICE) kernels/embed.awk
	$(Q)mkdir -p $(@D) && awk -f kernels/embed.awk -v name=device_text $(DEVICE) > $@.tmp && mv $@.tmp $@
SCHEMA = $(sort $(wildcard db/*.sql))
$(BUILD)/gen/schema.c: $(SCHEMA) kernels/embed.awk
	$(Q)mkdir -p $(@D) && awk -f kernels/embed.awk -v name=schema_text $(SCHEMA) > $@.tmp && mv $@.tmp $@

DRAFTS = $(sort $(shell find scenarios/new/drafts -type f))
$(BUILD)/gen/drafts.c: $(DRAFTS) kernels/embed.awk
	$(Q)mkdir -p $(@D) && awk -f kernels/embed.awk -v name=draft_text -v below=scenarios/new/drafts/ $(DRAFTS) > $@.tmp && mv $@.tmp $@

# Changed flags rebuild.
$(BUILD)/flags: FORCE
	$(Q)mkdir -p $(@D); echo '$(CC) $(ALL_CFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS)' > $@
FORCE:

# ---- tests: tests/ROOM/*_test.c links ROOM and what lies below; tests/*.sh speak TAP themselves, by tests/lib ----
TESTS    = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/*/*_test.c tests/*/*/*_test.c))
# Once is enough for what runs no code of ours (names of objects, documents, tables, paths) or code that the sanitized
# half runs elsewhere: the drills' by tests/drills, the timing's by tests/kernels/runner, a portable build's by all, NVRTC's by the fake one.
ONCE     = $(patsubst %,tests/%.sh,layers documents content paths drills_content agreement portable compile_real)
SCRIPTS  = $(filter-out $(if $(SAN),$(ONCE)),$(sort $(wildcard tests/*.sh)))
FAKES    = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fakes/fake_*.c)) \
           $(patsubst %.c,$(BUILD)/%.so,$(wildcard tests/fakes/lib*.c))
BENCHES  = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
AGAINST  = $(BUILD)/tests/fuzz/against_nvrtc
FUZZERS  = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
HARNESS  = $(call objects,$(wildcard tests/tui/screen.c))

define test_rule
$(BUILD)/tests/$(1)/%_test: $(BUILD)/tests/$(1)/%_test.o $(if $(filter tui/%,$(1)),$(HARNESS)) $(LINK_$(1))
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(SANLINK) $$(LDFLAGS) -o $$@ $$^ $$(LDLIBS) -ldl -lcmocka -lvterm -lutil
endef
$(foreach r,$(ROOMS) kernels/runner,$(eval $(call test_rule,$(r))))
# Two fakes are split by trade: fake_runner with runner_*.c, libfakecuda with cuda_*.c.
$(BUILD)/tests/fakes/fake_runner: $(call objects,$(wildcard tests/fakes/runner_*.c))
$(BUILD)/tests/fakes/libfakecuda.so: $(wildcard tests/fakes/cuda_*.c)
$(BUILD)/tests/fakes/fake_%: $(BUILD)/tests/fakes/fake_%.o $(LINK_scenarios/link)
	$(Q)$(CC) $(SANLINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDLIBS)
$(BUILD)/tests/fakes/lib%.so: tests/fakes/lib%.c $(wildcard tests/fakes/*.h) kernels/runner/api.h kernels/runner/abi.h $(BUILD)/flags
	$(Q)mkdir -p $(@D) && $(CC) $(filter-out -fsanitize% -fno-sanitize% -MMD -MP,$(ALL_CFLAGS)) -fPIC -shared -o $@ $(filter %.c,$^) -lm -lpthread
$(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(HARNESS) $(LINK_tui)
	$(Q)$(CC) $(SANLINK) -o $@ $^ $(LDLIBS) -lvterm -lutil
# Both ends of the protocol have a `client`, so that no fuzzer links the two.
LINK_fuzz = $(if $(filter child supervisor,$(1)),$(LINK_kernels/runner),$(LINK_tui))
# The corpus is replayed in every test run; `make fuzz` searches on with clang's libFuzzer, and holds the token
# scanner against NVRTC where that is installed.
define fuzz_rule
$(BUILD)/tests/fuzz/replay_$(1): $(BUILD)/tests/fuzz/fuzz_$(1).o $(BUILD)/tests/fuzz/replay.o $(call LINK_fuzz,$(1))
	$$(Q)$$(CC) $$(SANLINK) -o $$@ $$^ $$(LDLIBS) -lcmocka
$(BUILD)/fuzz_$(1): $(BUILD)/tests/fuzz/fuzz_$(1).o $(call LINK_fuzz,$(1))
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) -fsanitize=fuzzer,address,undefined -o $$@ $$^ $$(LDLIBS) -lcmocka
endef
$(foreach f,$(FUZZERS),$(eval $(call fuzz_rule,$(f))))
$(AGAINST): $(call objects,$(patsubst %,tests/fuzz/%.c,against_nvrtc odd_source watched)) $(LINK_kernels/runner)
	$(Q)$(CC) $(SANLINK) -o $@ $^ $(LDLIBS_RUNNER)
.SECONDARY:

# Tests see no progress, settings or caches of the person who runs them.
TEST_HOME = $(abspath $(BUILD))/tests/home
TEST_ENV  = HOME=$(TEST_HOME) XDG_DATA_HOME= XDG_CONFIG_HOME= XDG_CACHE_HOME= XDG_STATE_HOME= WARPDRILL_RUNNER= \
            CMOCKA_MESSAGE_OUTPUT=TAP ROOMS='$(ROOMS)' BUILD=$(abspath $(BUILD)) WARPDRILL_BIN=$(abspath $(BUILD))/warpdrill \
            WARPDRILL_NVRTC=$(abspath $(BUILD))/tests/fakes/libfakenvrtc.so \
            ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0

check: all $(TESTS) $(FAKES) $(AGAINST) $(FUZZERS:%=$(BUILD)/tests/fuzz/replay_%)
	$(Q)$(if $(SAN),true,$(MAKE) --no-print-directory portable) || echo "  no portable build here: tests/portable.sh is skipped"
	$(Q)mkdir -p $(TEST_HOME)
	$(Q)env $(TEST_ENV) prove -j3 --exec 'timeout 1200' $(SCRIPTS) $(TESTS)

# As many compilers at once as there are cores, where nobody said how many.
JOBS  = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN))
test: deps-test
	$(Q)$(MAKE) --no-print-directory $(JOBS) WERROR=1 check
	$(Q)$(MAKE) --no-print-directory $(JOBS) WERROR=1 SAN=1 check

# What waits for a picture, a link or another program: where chance would show.
SOAK = $(filter $(BUILD)/tests/tui/%,$(TESTS)) \
       $(filter %/client_test %/live_test %/session_link_test %/session_server_test %/supply_test,$(TESTS)) \
       $(patsubst %,tests/%.sh,join_ssh remote_ssh smoke_tmux)
soak: all $(filter-out %.sh,$(SOAK)) $(FAKES)
	$(Q)mkdir -p $(TEST_HOME)
	$(Q)env $(TEST_ENV) TIMES=$(or $(TIMES),20) $(if $(LOOPS),LOOPS=$(LOOPS)) sh tests/lib/soak.sh $(SOAK)

check-layers: all
	$(Q)ROOMS='$(ROOMS)' BUILD=$(abspath $(BUILD)) sh tests/layers.sh

# FUZZERS=import fuzzes one alone; SECONDS=600 says how long.
fuzz: $(AGAINST)
	$(Q)$(AGAINST) search $(or $(TRIES),100000) $$(date +%s)
	$(Q)$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang FUZZERS='$(FUZZERS)' \
	    CFLAGS='-O1 -g -fsanitize=fuzzer-no-link,address,undefined' fuzzers
	$(Q)for f in $(FUZZERS); do \
	    mkdir -p build/fuzz/found/$$f && \
	    build/fuzz/fuzz_$$f -max_total_time=$(or $(SECONDS),30) build/fuzz/found/$$f tests/fuzz/corpus/$$f || exit 1; done
fuzzers: $(FUZZERS:%=$(BUILD)/fuzz_%)

bench: all $(BENCHES) $(FAKES)
	$(Q)mkdir -p $(TEST_HOME)
	$(Q)for b in $(BENCHES); do env $(TEST_ENV) $$b || exit 1; done

gpu-test: all $(BUILD)/tests/fakes/fake_player
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/play_live.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/mend.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/mend_sanitize.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/spoilt.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/timeline.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/hosted.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/ranks.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/links.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/benchmark.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/experiments.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/fp8.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/fixes.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/hostile.sh
	$(Q)env BUILD=$(abspath $(BUILD)) sh tests/gpu/images.sh
	$(Q)sh tests/gpu/rebuild.sh
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
	cp -R content/packs content/tables content/cards content/drills content/figures content/rubrics $(DESTDIR)$(prefix)/share/warpdrill/
	install -m 644 content/*.md SECURITY.md $(DESTDIR)$(prefix)/share/warpdrill
	install -m 755 scenarios/new/from_triton.py $(DESTDIR)$(prefix)/share/warpdrill
	install -m 644 warpdrill.1 $(DESTDIR)$(prefix)/share/man/man1
uninstall:
	rm -rf $(DESTDIR)$(prefix)/share/warpdrill
	rm -f $(DESTDIR)$(prefix)/bin/warpdrill $(DESTDIR)$(prefix)/bin/warpdrill-runner $(DESTDIR)$(prefix)/share/man/man1/warpdrill.1

clean:
	rm -rf build

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
