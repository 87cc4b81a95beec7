# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# Sourced by the scripts: stop at the first error, change to the top of the repository,
# and set the paths of the builds.
#
# The environment selects the kernel that the scripts work on: KERNEL is its version,
# ALLOCATOR its slab allocator, ARCH its architecture. Builds, logs and results of any
# other than the default have $flavour in their names.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
top=$PWD
out=$top/out
cache=${KMEMTRACE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kmemtrace}

host_arch=x86_64
kernel_version=${KERNEL:-6.12} allocator=${ALLOCATOR:-slub} arch=${ARCH:-$host_arch}
flavour=-$kernel_version
[ "$allocator" = slub ] || flavour+=-$allocator
[ "$arch" = $host_arch ] || flavour+=-$arch
[ "$flavour" != -6.12 ] || flavour=

[ -e "scripts/kernel/arch/$arch.sh" ] || { echo "ARCH=$arch: no scripts/kernel/arch/$arch.sh" >&2; exit 2; }

# the tools of this machine, and those that run in the guest
tools=$out/tools/install
guest_tools=$tools
[ "$arch" = $host_arch ] || guest_tools=$out/tools-$arch/install
# folders that virtual machines share
shares=$out/check$flavour

# Debian's programs come first: its python3 has the modules that the tests need.
export PATH=/usr/bin:$PATH

# CCACHE_DEPEND: ccache finds an object by the files that the compiler reads. It does not run the
# preprocessor first, which would take a fifth longer for a new object. CCACHE_BASEDIR: objects of
# another checkout are found, too.
export CCACHE_DIR=$cache/ccache CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_BASEDIR=$top
# modules of node that tests need, see scripts/deps
export NODE_PATH=$cache/npm/node_modules
mkdir -p "$out" "$cache"

# build_of NAME: print the build folder of the kernel NAME, a link into its tree
build_of() {
	echo "$cache/build-$1$flavour"
}

# arch_of NAME: print the architecture of the kernel NAME: ARCH, unless its configuration
# names one
arch_of() {
	sed -n 's/^# ARCH=//p' "scripts/kernel/configs/$1.config" | grep . || echo "$arch"
}

# variables TARGET: print the variables that select it, for env
variables() {
	local word parts
	IFS=- read -r -a parts <<<"$1"
	echo "KERNEL=${parts[0]}"
	for word in "${parts[@]:1}"; do
		[ -e "scripts/kernel/arch/$word.sh" ] && echo "ARCH=$word" || echo "ALLOCATOR=$word"
	done
}

# code FILE...: print scripts without comments, and without the folders of other scripts. A key of
# the cache has this, so that it stays the same when a script moves.
code() {
	sed -E '/^[[:space:]]*#( |$)/d; /^\. /d; s,scripts/([a-z.-]+/)*,,g' "$@"
}

# exclusively: lock the cache until this process and its children end, since trees and
# kernels have fixed names in it.
exclusively() {
	exec 8>"$cache/lock"
	flock -n 8 || { echo "waiting for another run that uses $cache"; flock 8; }
}
