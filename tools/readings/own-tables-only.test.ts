import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkAnswerFormat, checkOwnTablesOnly, checkSetting } from './own-tables-only.ts'
import { schemaStatements } from '../../server/src/readings/schema.ts'

const schema = await schemaStatements()
const check = (sql: string) => () => checkOwnTablesOnly(sql, schema)

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
  "select * from merge('system', '.*')",
  "select * from input('a String')",
  'select * from view(select 1)',
  'select * from loop(gridmast.samples)',
  "select * from values('a String', 'x')",
  "select dictGet('d', 'a', 1)",
  "select catboostEvaluate('x', 1)",
  "select getOSKernelVersion(), getMacro('x'), hostName()",
  "select 'it''s' from file('x')",
  "select 'a\\' from url(' , * from file('x')",
  "insert into function file('/tmp/x') select 1",
  "insert into gridmast.t select * from file('x') format TSV",
  "insert into gridmast.t from infile 'x' format CSV",
  "select 1 into outfile '/tmp/x'",
  "select * into outfile '/tmp/x'",
  "select * from gridmast.samples into outfile '/tmp/x'",
  "select 1; select * from file('x')",
  'select 1; system shutdown',
  'select 1;',
  "create table t (a Int8) engine = File(CSV, '/tmp/x')",
  "create table t (a Int8) engine URL('http://x', CSV)",
  "create table gridmast.t (a Int8) engine = MergeTree order by a settings disk = disk(type = web, endpoint = 'http://x')",
  'create table gridmast.t as default.passwd',
  "create dictionary d (a Int8) primary key a source(file(path 'x' format 'TSV'))",
  'create function f as (a) -> file(a)',
  "backup database gridmast to File('/tmp/x')",
  "restore table t from File('/tmp/x')",
  "select 1 /* ' */ from file('x') -- '",
  "select 1 /* /* ' */ from file('x') */ -- '",
  "select 1 -- '\n from file('x') -- '",
  "select 1 --'\r from file('x')",
  "select 1 # '\n from file('x') -- '",
  "select 1 #! '\n from file('x') -- '",
  "select $a$ ' $a$ from file('x') -- '",
  "select $$ ' $$ from file('x') -- '",
  "select ‘ ' ’ from file('x') -- '",
  'select “file”(1)',
  'select 1 − 1',
])('L3 %s reads outside the engine and is refused', (sql) => {
  expect(check(sql)).toThrow('own tables only')
})

test.each([
  // Escapes within quoted names.
  String.raw`select * from "f\x69le"('/etc/passwd','LineAsString')`,
  String.raw`insert into function "f\x69le"('/tmp/x', 'TSV', 'a Int8') values (1)`,
  "select * from `u\\x72l`('http://x')",
  String.raw`insert into function "u\x72l"('http://x') select 1`,
  String.raw`select "f\ile"('/etc/hostname')`,
  'select 1 as "`", file(\'/etc/hostname\') as "x`"',
  'select 1 as "`", file(\'/etc/hostname\') as "x"',
  'select 1 as `"`, file(\'/etc/hostname\') as `x"`',
  'select 1 as """", file(\'/etc/hostname\') as """"',
  "insert into function null('a Int8') format Values (1); select file('/etc/hostname')",
  "insert into gridmast.samples format Values (1, file('/etc/hostname'))",
  "insert into gridmast.samples values (1, file('/etc/hostname'))",
  "insert into gridmast.samples values (1) parallel with select file('/etc/hostname')",
  "insert into gridmast.samples format TSV settings format_schema = '/etc/passwd' 1",
  'insert into gridmast.samples format TabSeparated\nsettings max_threads = 1\n1',
  'insert into gridmast.samples format TabSeparated\n-- a\nsettings max_threads = 1\n1',
  'insert into gridmast.samples format TabSeparated /* */ 1',
  'insert into gridmast.samples format Template 1',
  'insert into gridmast.samples settings max_threads = 1 format TabSeparated 1',
  'insert into gridmast.samples (* except(a)) format TabSeparated 1',
  "insert into gridmast.t format TabSeparated\n1\n\n; select file('x')",
  "insert into gridmast.t format TabSeparated\n1\n; select file('x')",
  "insert into gridmast.t format TabSeparated\n1\n \n; select file('x')",
  "insert into gridmast.t format JSONEachRow\n{}\n\nselect file('x')",
  'insert into gridmast.samples format(1)',
  "select 1 format Template settings format_template_row = '/etc/passwd'",
  'select 1 format Npy',
  "select 1 format TabSeparated; select file('x')",
  // The `default` database exposes local files as tables.
  'select * from "/etc/passwd"',
  "select * from '/etc/passwd'",
  'select * from default."/etc/passwd"',
  'select * from default.passwd',
  'select * from passwd',
  'select * from gridmast.samples, default.passwd',
  'select * from gridmast.samples a, default.passwd b',
  'select * from gridmast.samples join default.passwd on 1',
  'select * from gridmast.samples paste join default.passwd',
  'select * from (select 1), default.passwd',
  'select * from gridmast.samples final, default.passwd',
  'select * from gridmast.samples group, default.passwd',
  'select * from gridmast.samples order, default.passwd',
  'select * from gridmast.samples limit, default.passwd',
  'select * from gridmast.samples union, default.passwd',
  'select * from numbers(1), default.passwd',
  'select 1 in passwd',
  "select 1 in '/etc/passwd'",
  'select 1 in (passwd)',
  'select 1 in (default.passwd)',
  'select 1 in ((passwd))',
  'select in(1, passwd)',
  'select 1 in [passwd]',
  'insert into passwd format TabSeparated 1',
  'insert into default.passwd format TabSeparated 1',
  'select * from {t:Identifier}',
  'select * from system.text_log',
  'select * from system.zookeeper',
  'select * from information_schema.tables',
  "select * apply file from (select '/etc/hostname')",
  "select * apply(file) from (select '/etc/hostname')",
  "select columns('a') apply file from (select '/etc/hostname' as a)",
  "with file('/etc/hostname') as a select a",
  'system shutdown',
  'SYSTEM\tKILL',
  'system stop merges',
  'system reload config',
  'select 1 settings readonly = 0, max_threads = 1',
  "select 1 settings max_threads = 1, storage_file_read_method = 'mmap'",
  'set max_threads = 1',
  'use default',
  'kill query where 1',
  'drop table gridmast.samples',
  'drop database gridmast',
  'truncate table gridmast.samples',
  'alter table gridmast.samples delete where 1',
  "alter table gridmast.samples drop partition '202601', drop partition '202602'",
  "alter table gridmast.samples freeze partition '202601'",
  "alter table gridmast.samples fetch partition '202601' from 'http://x'",
  'attach table gridmast.t',
  "explain select file('x')",
  'describe file(1)',
  'show tables',
  '(select 1)',
  'select (1',
  'select 1)',
  'select (1]',
  "select 'a",
  "select 'a\0'",
  'select 1a',
  '',
])('L3 %s, which the portal does not send, is refused', (sql) => {
  expect(check(sql)).toThrow('own tables only')
})

test.each([
  'select 1',
  "select max(ts) from gridmast.samples where signal_no = 'file(url) -- it''s \\' ø' \n limit 1",
  'insert into gridmast.samples (signal_no, ts) format TabSeparated\n1\tfile(x) ø;select 1\n-2\tb\n',
  'INSERT INTO gridmast.quarantine FORMAT JSONEachRow\n{"b":"ø\'url(x)"}',
  'INSERT INTO gridmast.runs (a, b)\nFORMAT TabSeparated\n',
  "insert into gridmast.rollup_progress values ('minutes', 12)",
  'insert into gridmast.minutes (a) select max(version) from gridmast.samples final group by signal_no',
  'select a from (select 1 as a union all select 2 as a) group by a limit 3 format JSONCompact',
  'select 1 where 1 in () or 2 in (1, -2) or 3 not in (select signal_no from gridmast.samples)',
  'select roundDown(1, [1, 2]::Array(Int64)) settings max_query_size = 4194304\nFORMAT JSONCompact',
  "select sum(rows), (select count() from gridmast.samples) from system.parts where database = 'gridmast' and active",
  "alter table gridmast.samples drop partition '202601'",
])('%s is answered', (sql) => {
  expect(check(sql)).not.toThrow()
})

test('the schema statements of the portal are executed, other create statements are refused', () => {
  expect(schema.size).toBeGreaterThan(7)
  for (const statement of schema) {
    expect(check(`\n${statement}\n`)).not.toThrow()
    expect(check(`${statement}, x`)).toThrow('own tables only')
    expect(() => checkOwnTablesOnly(statement)).toThrow('own tables only')
  }
})

test('L3 settings and formats of a statement are limited to those of the portal', () => {
  expect(() => checkSetting('max_threads', '1')).not.toThrow()
  for (const [name, value] of [
    ['max_threads', "1'"],
    ['max_threads', 'default'],
    ['format_template_row', '1'],
    ['param_t', '1'],
    ['constructor', '1'],
  ] as const)
    expect(() => checkSetting(name, value)).toThrow('own tables only')
  expect(() => checkAnswerFormat('JSONCompact')).not.toThrow()
  expect(() => checkAnswerFormat('Template')).toThrow('own tables only')
})

const reaching =
  'file fileCluster url s3 s3Cluster gcs remote remoteSecure cluster executable hdfs mysql postgresql jdbc odbc sqlite mongodb redis azureBlobStorage deltaLake iceberg hudi merge input dictionary dictGet joinGet catboostEvaluate hostName'.split(
    ' ',
  )

const spelled = (name: string, choices: readonly number[]) =>
  Array.from(name, (letter, i) => {
    const code = letter.charCodeAt(0).toString(16)
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    return [letter, other, `\\x${code}`, `\\u00${code}`, `\\${letter}`][choices[i % choices.length] ?? 0] ?? letter
  }).join('')

test('L3 a function that reads outside is refused in any spelling, quoting and position', () => {
  const quotes = fc.constantFrom('', '"', '`')
  const blank = fc.constantFrom('', ' ', '\n', '\t', '/**/', '--\n')
  const around = fc.constantFrom<[string, string]>(
    ['select ', ''],
    ['select * from ', ''],
    ['select 1 as "`", ', ' as "x`"'],
    ["select 'a', ", ''],
    ["select 'a''', ", ", 'b'"],
    ["select '\\'', ", ", '\\''"],
    ['select 1 in ', ''],
    ['select 1 in (', ')'],
    ['select * from (select * from ', ')'],
    ['select * from gridmast.samples, ', ''],
    ['insert into function ', ' select 1'],
    ['insert into gridmast.t select ', ''],
    ['insert into gridmast.t values (', ')'],
    ['insert into gridmast.t format Values (', ')'],
    ['create table gridmast.t as ', ''],
    ['select 1; select ', ''],
    ['select 1 union all select ', ''],
    ['select intDiv(1, ', ')'],
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...reaching),
      fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }),
      quotes,
      blank,
      around,
      (name, choices, quote, gap, [before, after]) => {
        const call = `${quote}${spelled(name, choices)}${quote}${gap}('/etc/hostname')`
        expect(check(`${before}${call}${after}`)).toThrow('own tables only')
      },
    ),
    { numRuns: 500 },
  )
})

test('L3 a quoted name is refused outside of a text', () => {
  const part = fc.constantFrom(
    'select',
    ' ',
    '1',
    ',',
    "'a'",
    "'\"'",
    "'`'",
    "'\\''",
    "''''",
    'max(1)',
    'gridmast.t',
    'from',
  )
  fc.assert(
    fc.property(fc.array(part), fc.constantFrom('"', '`'), fc.array(part), (left, quote, right) => {
      expect(check(`select ${[...left, quote, ...right].join(' ')}`)).toThrow('own tables only')
    }),
  )
})

test.each([20, 8000])('L1 nesting of %i levels does not overflow the stack', (depth) => {
  expect(() => checkOwnTablesOnly(`select ${'('.repeat(depth)}1${')'.repeat(depth)}`)).not.toThrow()
})
