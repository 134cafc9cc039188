# Everything a developer or the gate runs. `make help` lists the targets.

GO      ?= go
VERSION ?= 0.1.0
COMMIT  ?= $(shell c=$$(git rev-parse --short HEAD 2>/dev/null) && { git diff --quiet HEAD || c=$$c-dirty; echo $$c; })
LDFLAGS  = -s -w -X pi/cmd.version=$(VERSION) -X pi/cmd.commit=$(COMMIT)
BUILD    = CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)'
SIZE    := 12582912

FUZZTIME ?= 10s
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0

.PHONY: help
help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

.PHONY: build
build: ## build ./pi, static and stripped
	$(BUILD) -o pi .

.PHONY: test
test: ## all tests, the longest first
	$(GO) test ./cmd ./internal/shell ./...

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
generate: ## write the generated files that are checked in: settings, licences and the pages of `pi help`
	$(GO) generate ./internal/config
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

.PHONY: clean
clean: ## remove what was built
	rm -rf pi dist .bench
