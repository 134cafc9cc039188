# Everything a developer or the gate runs. `make help` lists the targets.

GO      ?= go
VERSION ?= 0.1.0
COMMIT  ?= $(shell c=$$(git rev-parse --short HEAD 2>/dev/null) && { git diff --quiet HEAD || c=$$c-dirty; echo $$c; })
LDFLAGS  = -s -w -X pi/cmd.version=$(VERSION) -X pi/cmd.commit=$(COMMIT)
BUILD    = CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)'
SIZE    := 12582912

# Where `make install` puts things. NAME is for people who have another pi.
NAME    ?= pi
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
SHARE    = dist/share/$(NAME)
DATE    ?= $(shell git log -1 --format=%cs 2>/dev/null)
SOURCES  = $(shell find . \( -path ./dist -o -path ./.git -o -name testdata \) -prune -o \( -name '*.go' -o -name '*.md' -o -name '*.gz' \
             -o -name '*.json' -o -name 'go.*' \) -type f -print)

FUZZTIME ?= 10s
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
NFPM := github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.48.0
GORELEASER := github.com/goreleaser/goreleaser/v2@v2.14.3
ACTIONLINT := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0

.PHONY: help
help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

.PHONY: build
build: ## build ./pi, static and stripped
	$(BUILD) -o pi .

.PHONY: test
test: ## all tests, the longest first
	$(GO) test ./cmd ./internal/shell/... ./...

# The longest first, since two run side by side. Rooms without goroutines have nothing that the race detector could find.
CONCURRENT := shell sessiond ps sink artifact console drain jsonl mcp pty rpc run

.PHONY: race
race: ## what is concurrent, under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race $(addsuffix /...,$(addprefix ./internal/,$(CONCURRENT)))
	CGO_ENABLED=1 $(GO) test -race ./cmd -run '^Test(Overlay|View|Shell|Signals|RPCAbort|Reader)'

.PHONY: lint
lint: ## formatting, vet on every platform, staticcheck
	@test -z "$$(gofmt -s -l $$(git ls-files '*.go'))" || { gofmt -s -d $$(git ls-files '*.go'); exit 1; }
	@for os in linux darwin windows; do echo "vet $$os"; GOOS=$$os $(GO) vet ./... || exit 1; done
	$(GO) run $(STATICCHECK) ./...

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME each
	@for pkg in $$(grep -rl --include='*_test.go' '^func Fuzz' internal cmd | xargs -n1 dirname | sort -u); do \
	  for f in $$(grep -h '^func Fuzz' $$pkg/*_test.go | sed 's/func \(Fuzz[A-Za-z0-9_]*\).*/\1/' | sort -u); do \
	    echo "fuzz $$pkg $$f"; $(GO) test ./$$pkg -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) || exit 1; \
	  done; done

.PHONY: bench
bench: ## Go benchmarks of every package
	$(GO) test ./... -run '^$$' -bench . -benchmem

.PHONY: bench-compare
bench-compare: build ## pi and its peers side by side, in ratios
	$(GO) run ./bench/compare -pi ./pi

.PHONY: generate
generate: ## write the generated files that are checked in: settings, schemas, licences and the pages of `pi help`
	$(GO) generate ./internal/config ./internal/keys ./internal/rpc ./internal/mcp
	$(GO) run ./tools/licenses
	$(GO) run ./tools/manual pages -o internal/manual/pages.json.gz

.PHONY: cross
cross: ## build every platform into dist/
	@mkdir -p dist
	@for p in $(PLATFORMS); do os=$${p%/*}; arch=$${p#*/}; ext=; [ $$os = windows ] && ext=.exe; \
	  echo "build $$p"; GOOS=$$os GOARCH=$$arch $(BUILD) -o dist/pi-$$os-$$arch$$ext . || exit 1; done

.PHONY: size
size: build ## the binary is static and at most 12 MiB
	@n=$$(wc -c < pi); echo "pi: $$n bytes of $(SIZE)"; test $$n -le $(SIZE)
	@! ldd ./pi >/dev/null 2>&1 || { echo "pi is not static"; exit 1; }

# What `make install` installs. They are files, so that `sudo make install` builds nothing if they are up to date.
pi: $(SOURCES)
	$(BUILD) -o pi .

$(SHARE)/doc/$(NAME)/LICENSE: $(SOURCES) LICENSE
	$(GO) run ./tools/manual share -name '$(NAME)' -version '$(VERSION)' $(if $(DATE),-date $(DATE)) -o '$(SHARE)'

.PHONY: share
share: $(SHARE)/doc/$(NAME)/LICENSE ## man pages, completions and licences, in dist/share/NAME

.PHONY: install
install: pi share ## install the program, its man pages and completions: PREFIX, DESTDIR, NAME
	install -d '$(DESTDIR)$(BINDIR)'
	install -m 755 pi '$(DESTDIR)$(BINDIR)/$(NAME)'
	@cd '$(SHARE)' && find . -type f | while read -r f; do \
	  install -d "$(DESTDIR)$(PREFIX)/share/$${f%/*}" && install -m 644 "$$f" "$(DESTDIR)$(PREFIX)/share/$$f" || exit 1; done
	@echo "installed $(DESTDIR)$(BINDIR)/$(NAME), and man pages and completions below $(DESTDIR)$(PREFIX)/share"

.PHONY: uninstall
uninstall: share ## remove what `make install` with the same PREFIX, DESTDIR and NAME installed
	rm -f '$(DESTDIR)$(BINDIR)/$(NAME)'
	@cd '$(SHARE)' && find . -type f | while read -r f; do rm -f "$(DESTDIR)$(PREFIX)/share/$$f"; done
	@rmdir '$(DESTDIR)$(PREFIX)/share/doc/$(NAME)' 2>/dev/null || true

# Packages are for Linux, and always called pi. GOARCH chooses another processor.
.PHONY: package
package: share ## build a deb and an rpm into dist/
	@arch=$${GOARCH:-$$($(GO) env GOHOSTARCH)}; mkdir -p dist/package; \
	GOOS=linux GOARCH=$$arch $(BUILD) -o dist/package/pi . && \
	for kind in deb rpm; do \
	  GOOS= GOARCH= VERSION='$(VERSION)' ARCH=$$arch $(GO) run $(NFPM) package --config packaging/nfpm.yaml --packager $$kind --target dist/ || exit 1; done

.PHONY: release-check
release-check: ## check .goreleaser.yaml and the workflows with their own tools
	$(GO) run $(GORELEASER) check
	$(GO) run $(ACTIONLINT)

.PHONY: vulncheck
vulncheck: ## known vulnerabilities in what is linked (needs the network: vuln.go.dev)
	$(GO) run $(GOVULNCHECK) ./...

.PHONY: clean
clean: ## remove what was built
	rm -rf pi dist .bench
