#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The completions of zsh for the programs: a zsh on a terminal lists them.

command -v zsh >/dev/null || { echo "skipped: no zsh"; exit 77; }
PATH=$(cd "${progdir:-../src}" && pwd):$PATH
folder=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/trace" && touch "$work/vmlinux" && cd "$work" || exit 1
export PATH folder
exec zsh -f "$folder/check-zsh.zsh"
