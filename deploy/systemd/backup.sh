#!/bin/sh
# backup.sh FOLDER, in the folder of the release: one backup for each weekday; a complete one replaces that of the week before.
set -eu
file="$1/gridmast-$(date +%u).tar.gz"
rm -f "$file.new" "$file.new.key"
node tools/bootstrap.mjs tools/backup.ts "$file.new"
mv "$file.new" "$file"
if [ -e "$file.new.key" ]; then mv "$file.new.key" "$file.key"; fi
