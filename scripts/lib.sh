# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the scripts here: stop at the first error, go to the top of the
# repository, name the places where things are built.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
top=$PWD
out=$top/out
cache=${KMEMTRACE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kmemtrace}
# shellcheck disable=SC2034 # for those who source this
tools=$out/tools/install

export CCACHE_DIR=$cache/ccache CCACHE_NOHASHDIR=1
mkdir -p "$out" "$cache"

# arch_of KERNEL: the word for make that names its architecture, if that isn't the
# host's
arch_of() {
	sed -n 's/^# \(ARCH=.*\)/\1/p' "scripts/configs/$1.config"
}

# exclusively: be the only one to use the cache until this process and those it
# starts end. Trees and kernels stand there under fixed names.
exclusively() {
	exec 8>"$cache/lock"
	flock -n 8 || { echo "waiting for another run that uses $cache"; flock 8; }
}
