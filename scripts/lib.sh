# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the scripts: stop at the first error, change to the top of the repository,
# and set the paths of the builds.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
top=$PWD
out=$top/out
cache=${KMEMTRACE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kmemtrace}
# shellcheck disable=SC2034 # the sourcing scripts use it
tools=$out/tools/install

export CCACHE_DIR=$cache/ccache CCACHE_NOHASHDIR=1
mkdir -p "$out" "$cache"

# arch_of KERNEL: print the argument for make that names its architecture, if this isn't
# the host's
arch_of() {
	sed -n 's/^# \(ARCH=.*\)/\1/p' "scripts/configs/$1.config"
}

# exclusively: lock the cache until this process and its children end, since trees and
# kernels have fixed names in it.
exclusively() {
	exec 8>"$cache/lock"
	flock -n 8 || { echo "waiting for another run that uses $cache"; flock 8; }
}
