#!/bin/sh
# Patroni calls it once with the address of the new primary: the role of Gridmast creates its own roles at its first start.
set -eu
psql "$1" --set=ON_ERROR_STOP=1 --set=password="$GRIDMAST_DATABASE_PASSWORD" <<'SQL'
create role gridmast login createrole password :'password';
create database gridmast owner gridmast;
SQL
