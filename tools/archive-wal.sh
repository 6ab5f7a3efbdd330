#!/bin/sh
# Archives one file of PostgreSQL's log: archive_command = 'sh /opt/gridmast/tools/archive-wal.sh %p %f /backup/wal'
# An archived file is never replaced; the same content again is a success, because PostgreSQL repeats a command after a crash.
set -eu
[ $# -eq 3 ] || { echo 'Usage: archive-wal.sh %p %f FOLDER' >&2; exit 1; }
[ -d "$3" ] || { echo "$3 does not exist; is its disk mounted?" >&2; exit 1; }
if [ -e "$3/$2" ]; then
  cmp -s "$1" "$3/$2" && exit 0
  echo "$3/$2 exists with another content" >&2
  exit 1
fi
cp "$1" "$3/$2.partial"
sync "$3/$2.partial"
mv "$3/$2.partial" "$3/$2"
sync "$3"
