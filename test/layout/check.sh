#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
#
# Holds the tree to its rules. Usage: check.sh <root of the repository>
#
#   1. Each file includes only what floors.txt allows its floor.
#   2. Only src/system/linux/ includes headers that only Linux has.
#   3. No header has 320 lines or more.
#   4. Every header and source is listed in CMake.
#   5. Each file starts with the licence line.
set -euo pipefail

root=$1
here=$(cd "$(dirname "$0")" && pwd)
max_lines=320
linux_headers='^(linux/.*|asm/.*|sys/(sendfile|epoll|eventfd|signalfd|timerfd|inotify|syscall|vfs|fsuid|prctl|sysinfo|xattr|random|ioctl)\.h|features\.h|syscall\.h)$'

failures=0
fail() {
  printf '%s\n' "$1"
  failures=$((failures + 1))
}

# The table: patterns[i] and allowed[i] of floor names[i].
names=() patterns=() allowed=()
while IFS='|' read -r name files may; do
  [[ $name =~ ^[[:space:]]*(#|$) ]] && continue
  names+=("${name// /}")
  patterns+=("$files")
  allowed+=(" $(tr -s ' ' <<<"$may") ")
done <"$here/floors.txt"

# Sets floor to the number of the floor that the path lives on, relative to include/sluice or src.
declare -A known=()
find_floor() {
  local i pattern
  if [[ -z ${known[$1]:-} ]]; then
    known[$1]=none
    set -f
    for i in "${!names[@]}"; do
      for pattern in ${patterns[i]}; do
        # shellcheck disable=SC2053  # the right side is a pattern
        if [[ $1 == $pattern ]]; then
          known[$1]=$i
          break 2
        fi
      done
    done
    set +f
  fi
  floor=${known[$1]}
  [[ $floor != none ]]
}

# Sets relative to a file's path within include/sluice or src, whichever it is in.
relative_path() {
  relative=${1#include/}
  relative=${relative#sluice/}
  relative=${relative#src/}
}

cd "$root"
mapfile -t files < <(find include src \( -name '*.hpp' -o -name '*.cpp' \) -type f | sort)

# What CMake lists.
declare -A listed=()
while read -r entry; do listed[include/$entry]=1; done <include/CMakeLists.txt
while read -r entry; do listed[src/$entry]=1; done <src/CMakeLists.txt

for file in "${files[@]}"; do
  relative_path "$file"
  find_floor "$relative" || fail "$file: belongs to no floor in test/layout/floors.txt"
  if [[ $file == include/* ]]; then
    [[ -n ${listed[$file]:-} ]] || fail "$file: not listed in include/CMakeLists.txt"
  elif [[ $file == *.cpp ]]; then
    [[ -n ${listed[$file]:-} ]] || fail "$file: not listed in src/CMakeLists.txt"
  fi
done

# One pass over all files, which prints "kind file line text" for what there is to judge.
# shellcheck disable=SC2016  # awk's own variables
facts='
  FNR == 1 && $0 != "// SPDX-License-Identifier: BSL-1.0" { print "licence", FILENAME, 1, "-" }
  FNR == max && FILENAME ~ /\.hpp$/ { print "long", FILENAME, FNR, "-" }
  /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    header = $0
    sub(/^[^<"]*[<"]/, "", header)
    sub(/[>"].*$/, "", header)
    print "include", FILENAME, FNR, header
  }'

while read -r kind file line header; do
  case $kind in
    licence) fail "$file:1: the licence line is missing" ;;
    long) fail "$file:$line: a header stays below $max_lines lines" ;;
    include)
      if [[ $header =~ $linux_headers && $file != src/system/linux/* ]]; then
        fail "$file:$line: <$header> exists only on Linux; only src/system/linux/ may include it"
      fi
      if [[ $header == sluice/* ]]; then target=include/$header
      elif [[ -f src/$header ]]; then target=src/$header
      elif [[ -f ${file%/*}/$header ]]; then target=${file%/*}/$header
      else continue; fi
      relative_path "$file"
      find_floor "$relative" || continue
      own=$floor
      relative_path "$target"
      if ! find_floor "$relative"; then
        fail "$file:$line: $header belongs to no floor in test/layout/floors.txt"
      elif [[ ${allowed[own]} != *" ${names[floor]} "* ]]; then
        fail "$file:$line: ${names[own]} may not include $header (${names[floor]})"
      fi
      ;;
  esac
done < <(awk -v max="$max_lines" "$facts" "${files[@]}")

if ((failures > 0)); then
  echo "$failures rule(s) broken in ${#files[@]} files"
  exit 1
fi
echo "${#files[@]} files keep the rules"
