import { expect, test } from 'vitest'
import { checkOwnTablesOnly } from './own-tables-only.ts'

test.each([
  "select * from file('/etc/passwd', 'LineAsString')",
  "SELECT * FROM\n`file` ('/etc/passwd')",
  "select file('/etc/passwd')",
  "select * from url('http://169.254.169.254/', 'RawBLOB')",
  "select * from urlCluster('c', 'http://x')",
  "select * from remote('10.0.0.1', system.one)",
  "select * from remoteSecure('10.0.0.1', system.one)",
  "select * from s3('http://x')",
  "select * from mysql('10.0.0.1:3306', 'a', 'b', 'c', 'd')",
  "select * from executable('sh', 'TSV', 'a String')",
  "select 'it''s' from file('x')",
  "select 'a\\' from url(' , * from file('x')",
  "insert into function file('/tmp/x') select 1",
  "insert into t select * from file('x') format TSV",
  "insert into t from infile 'x' format CSV",
  "select 1 into outfile '/tmp/x'",
  "select 1; select * from file('x')",
  "create table t (a Int8) engine = File(CSV, '/tmp/x')",
  "create table t (a Int8) engine URL('http://x', CSV)",
  "create dictionary d (a Int8) primary key a source(file(path 'x' format 'TSV'))",
  'create function f as (a) -> file(a)',
  "backup database gridmast to File('/tmp/x')",
  "restore table t from File('/tmp/x')",
  "select 1 /* ' */ from file('x') -- '",
  "select 1 # '\n from file('x') -- '",
  "select $a$ ' $a$ from file('x') -- '",
  "select ‘ ' ’ from file('x') -- '",
])('L3 %s reaches outside the engine and is refused', (sql) => {
  expect(() => checkOwnTablesOnly(sql)).toThrow('own tables only')
})

test.each([
  'select 1',
  "select max(t) from gridmast.samples where name = 'file(url)' -- of the file (url)\n limit 1",
  'insert into gridmast.samples (signal_no, t) format TSV\n1\tfile(x) ø',
  'INSERT INTO `t` FORMAT JSONEachRow\n{"b":"ø\'url(x)"}',
  'create table default.t (a Int64, b String) engine = MergeTree order by a',
  'create materialized view v to t as select * from s',
  'select a from default.t where b = {b:String}',
  'system stop merges',
])('%s is answered', (sql) => {
  expect(() => checkOwnTablesOnly(sql)).not.toThrow()
})
