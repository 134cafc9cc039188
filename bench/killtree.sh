#!/bin/sh
# Ending a tree of 2,000 processes: pi against the killTree of a native addon in plain node (about 200 MB from npm,
# kept in PI_BENCH_DIR). Without npm, node or network only pi is measured. Arguments go to bench/killtree.
set -eu
cd "$(dirname "$0")/.."
dir=${PI_BENCH_DIR:-.bench}/killtree
name=@oh-my-pi/pi-natives@13.19.0
case $(uname -m) in
x86_64) file=pi_natives.linux-x64-baseline.node ;;
aarch64) file=pi_natives.linux-arm64.node ;;
*) file= ;;
esac
if [ -n "$file" ] && [ ! -f "$dir/$file" ] && command -v npm >/dev/null && command -v node >/dev/null; then
	mkdir -p "$dir"
	(cd "$dir" && npm pack --silent "$name" >/dev/null && tar -xzf ./*.tgz --strip-components=2 "package/native/$file" && rm -f ./*.tgz) ||
		echo "killtree: the addon could not be fetched" >&2
fi
set -- "$@"
[ -z "$file" ] || [ ! -f "$dir/$file" ] || set -- -addon "$(cd "$dir" && pwd)/$file" "$@"
[ ! -x ./pi ] || set -- -pi ./pi "$@"
exec go run ./bench/killtree "$@"
