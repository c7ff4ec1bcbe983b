#!/usr/bin/env bash
# Shows the main job on a copy of the sample workspace; `make demo` runs it. Nothing outside build/demo is touched.
set -euo pipefail
cd "$(dirname "$0")/.."
memofs="$PWD/.venv/bin/memofs"
rm -rf build/demo
mkdir -p build
cp -R tests/data/sample build/demo
cd build/demo
export MEMOFS_NO_DAEMON=1  # nothing stays behind

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n%s\n' "$*"; }
run() {
  printf '$ memofs'
  for word in "$@"; do case "$word" in *" "*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac; done
  printf '\n'
  "$memofs" --root . "$@"
}

say "A small program with 40 memories about it: what is there?"
run status

say "A small model that comes along indexes them by meaning, here and without a network."
run index

say "A question in plain words finds the decision, and why it was taken."
run recall "what database driver did we pick for tenant metadata" -n 2

say "Also where question and answer have no word in common."
run recall "how do we make sure two guests never get the same spot" -n 1

say "Exact names, abbreviations and slips of the finger work too."
run recall "db pool timeout" -n 2
run recall "authentcation tokens" -n 2

say "What has nothing to do with the project gets no answer."
run recall "recipe for sourdough bread"

say "Remembering is one line, and can be taken back."
run remember "Invoices are numbered per tenant, never globally: auditors want gap-free sequences." -k constraint -t billing
run recall "invoice numbers" -n 1
run undo

say "A memory is tied to the code that it is about: confirmed once, it notices when the code changes."
run verify 01bk
sed -i.before 's/^HOLD_MINUTES = 15$/HOLD_MINUTES = 20/' quayside/bookings.py && rm quayside/bookings.py.before
run check || true
run changes 01bk

say "The workspace of this demo is build/demo; try: cd build/demo && ../../.venv/bin/memofs recall \"rate limit\" --explain"
