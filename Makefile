# contend: `make run` and `make check` are all that a fresh Debian machine needs.
# Meson does the work; this file only names the steps.

BUILD := build
MESON := meson

.PHONY: all run check deps build bench fuzz install clean

all: build

run: deps build
	$(BUILD)/contend run

check: deps build
	tools/check $(BUILD)

deps:
	tools/deps

$(BUILD)/build.ninja:
	$(MESON) setup $(BUILD)

build: $(BUILD)/build.ninja
	$(MESON) compile -C $(BUILD)
	ln -sf src/contend $(BUILD)/contend

bench: deps build
	tools/deps bench
	bench/run $(BUILD)

fuzz: deps
	tests/fuzz/run

install: build
	$(MESON) install -C $(BUILD)

clean:
	rm -rf $(BUILD) build-*
