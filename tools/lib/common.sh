# shellcheck shell=bash disable=SC2154  # $root is the caller's
# SPDX-License-Identifier: BSL-1.0
#
# What tools/demo, tools/test and .ci/run share: numbered steps with their time, packages, and
# noisy commands whose output goes to a log. Sourced, not started; the caller sets $root.

# --- steps ---------------------------------------------------------------------------------------

step_number=0
step_total=0

steps() { step_total=$1; }

# Opens a step: its number, the time since the start, what it does.
step() {
  step_number=$((step_number + 1))
  printf '\n[%d/%d] %s  (%s since the start)\n' "$step_number" "$step_total" "$1" "$(elapsed)"
}

note() { printf '      %s\n' "$*"; }

elapsed() { printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60)); }

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# --- packages ------------------------------------------------------------------------------------

is_installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# Installs those of the named Debian packages that are missing. Without any missing it does nothing
# and needs neither root nor a network.
need_packages() {
  local package missing=()
  command -v dpkg-query >/dev/null || {
    note "not a Debian system: packages are not checked"
    return 0
  }
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then
    note "all $# packages are installed"
    return 0
  fi

  local as_root=()
  if ((EUID != 0)); then
    if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      as_root=(sudo)
    else
      printf '%s\n' "${0##*/}: packages are missing. Run this as root, then start ${0##*/} again:" \
        "  apt-get update && apt-get install --yes --no-install-recommends ${missing[*]}" >&2
      exit 1
    fi
  fi
  note "missing: ${missing[*]}"
  [[ ${as_root[*]:-} != sudo ]] || sudo -v || die "sudo was refused"
  logged "apt-get update" ${as_root[@]+"${as_root[@]}"} apt-get update
  logged "apt-get install" ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends "${missing[@]}"
}

# --- users ---------------------------------------------------------------------------------------

# Started through sudo, as root: goes on as the user who called sudo, so that what is built belongs
# to that user. Call it with the script's arguments once the packages are there.
leave_root() {
  ((EUID == 0)) && [[ -n ${SUDO_USER:-} && $SUDO_USER != root ]] || return 0
  if ! setpriv_user test -w "$root"; then
    note "$SUDO_USER may not write to $root: staying root"
    return 0
  fi
  if [[ -e $root/build ]]; then chown -R "$SUDO_UID:$SUDO_GID" "$root/build"; fi
  note "going on as $SUDO_USER"
  export SLUICE_PACKAGES_CHECKED=1
  # What this process has used of the clock counts on in the next.
  export SLUICE_SECONDS=$SECONDS
  setpriv_user "$root/tools/${0##*/}" "$@"
  exit
}

setpriv_user() {
  HOME=$(getent passwd "$SUDO_USER" | cut -d: -f6) USER=$SUDO_USER LOGNAME=$SUDO_USER \
    setpriv --reuid "$SUDO_UID" --regid "$SUDO_GID" --init-groups "$@"
}

SECONDS=${SLUICE_SECONDS:-0}
unset SLUICE_SECONDS

# --- noisy commands ------------------------------------------------------------------------------

log=
log_tail=60  # lines of the log to show on failure
child=

# Starts a log file for all that follows.
open_log() {
  log=$1
  mkdir -p "$(dirname "$log")"
  : >"$log"
}

# The last progress mark of ninja ([12/80]) or ctest (12/80 Test) in what the log gained.
progress_mark() {
  tail -c +"$(($1 + 1))" "$log" | grep -oE '^(\[[0-9]+/[0-9]+\]| *[0-9]+/[0-9]+ Test)' | tail -n 1 | tr -d ' []Test' || true
}

# logged <what> <command>...: runs the command with its output in the log, shows how far it is, and
# on failure the end of the log.
logged() {
  local what=$1 start=$SECONDS offset status=0 ticks=0 mark last=
  shift
  [[ -n $log ]] || open_log "$root/build/${0##*/}.log"
  printf '$ %s\n' "$*" >>"$log"
  offset=$(stat -c %s "$log")
  # A process group of its own, so that an interrupt ends the compilers too.
  set -m
  "$@" </dev/null >>"$log" 2>&1 &
  child=$!
  set +m
  while kill -0 "$child" 2>/dev/null; do
    sleep 0.2
    ticks=$((ticks + 1))
    if [[ -t 1 ]]; then
      if ((ticks % 5 == 0)); then
        printf '\r      %s ... %s %ds\e[K' "$what" "$(progress_mark "$offset")" $((SECONDS - start))
      fi
    elif ((ticks % 100 == 0)); then
      mark=$(progress_mark "$offset")
      [[ $mark == "$last" ]] || note "$what ... $mark"
      last=$mark
    fi
  done
  wait "$child" || status=$?
  child=
  if [[ -t 1 ]]; then printf '\r\e[K'; fi
  if ((status != 0)); then
    note "$what: FAILED after $((SECONDS - start))s (exit status $status)"
    printf '%s\n' "----- the end of ${log#"$root/"} -----"
    tail -c +"$((offset + 1))" "$log" | tail -n "$log_tail"
    printf '%s\n' "----------------------------------------"
    exit "$status"
  fi
  note "$what: done in $((SECONDS - start))s"
}

stop_child() {
  if [[ -n $child ]]; then kill -- "-$child" 2>/dev/null || true; fi
}
trap 'stop_child; exit 130' INT
trap 'stop_child; exit 143' TERM

jobs_for_build() { nproc; }
