#!/bin/sh
# Installs the native addon into ${PI_BENCH_DIR:-.bench}/keys, once.
set -eu
cd "$(dirname "$0")/../.."
dir="${PI_BENCH_DIR:-.bench}/keys"
addon=@oh-my-pi/pi-natives
version=13.19.0
test -d "$dir/node_modules/$addon" && exit 0
mkdir -p "$dir"
cd "$dir"
echo '{"name":"pi-bench-keys","private":true}' >package.json
npm install --no-audit --no-fund --ignore-scripts "$addon@$version" >/dev/null
