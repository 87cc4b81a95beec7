# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced instead of lib.sh by the checks that build single objects: common paths, and a
# cache of passed builds.

. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
set -o pipefail

objects=$cache/objects${flavour:+-$kernel_version}
mkdir -p "$objects/verified"
exec 9>"$objects/lock"
flock 9

base=$(scripts/kernel/kernel-source)
patched=$(scripts/series/mktree | tail -n 1)
# no object of the kernel depends on these
no_object='Documentation|tools|MAINTAINERS'
git -C "$patched" diff --name-only base HEAD | grep -vE "^($no_object)(/|$)" >"$objects/files"

# objects_key COMMIT [WORD...]: print a hash of everything that a build of COMMIT depends
# on
objects_key() {
	local compiler
	{
		git -C "$base" ls-tree "$1" | grep -vE "($no_object)$"
		cat "$objects/files" scripts/kernel/configs/objects.config
		code scripts/kernel/build-objects "$0"
		for compiler in /usr/bin/*gcc sparse; do
			"$compiler" --version
		done
		echo "${@:2}"
	} | sha256sum | cut -c1-16
}

# verified KEY: a build with this KEY has passed before
verified() {
	[ -e "$objects/verified/$1" ]
}

# passed KEY NAME: print a TAP result, and store the KEY
passed() {
	touch "$objects/verified/$1"
	echo "ok - $2"
}
