import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractionsSince } from './contracting.ts'
import { releases } from './releases.ts'

/** Contractions since the last release, each with the reason why a server of that release works on. Empty again after each release. */
const answered: Record<string, string> = {
  'gone: column payment_event.no integer': 'became a bigint: both are numbers for the server, and it never writes one',
  'gone: unique key charger_command btree (no)': 'no statement names it; the numbers come from a sequence',
  'gone: unique key charger_transaction btree (no)': 'no statement names it; the numbers come from a sequence',
  "required: constraint on one_time_code: CHECK ((purpose = ANY (ARRAY['reset'::text, 'login-link'::text, 'challenge'::text, 'recovery'::text, 'handoff'::text, 'email'::text, 'email-undo'::text, 'file'::text, 'wall'::text])))":
    'allows one purpose more than before',
}

test('servers of the last release work on while the store is migrated: nothing that they use is gone, nothing new is required of their rows', async () => {
  expect(await contractionsSince(releases[0].lastMigration)).toEqual(Object.keys(answered).toSorted())
})

test('each kind of contraction is recognised, and an expansion is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-contracting-'))
  const file = (name: string, text: string) => writeFile(join(folder, name), text)
  await file(
    '0001_first.sql',
    `create role gridmast_system; create function f() returns int language sql as 'select 1';
    create table a (id int primary key, x int, y text unique, z int, w int); grant select, update on a to gridmast_system; create table b (x int);
    create table c (x int)`,
  )
  await file(
    '0002_expanding.sql',
    `create table d (x int not null check (x > 0)); grant select on d to gridmast_system; alter table a add column v int not null default 0;
    alter table a add column u text; alter table a alter column id drop identity if exists; create index on a (x)`,
  )
  await file(
    '0003_contracting.sql',
    `alter table a drop column x; alter table a rename column z to zz; alter table a alter column w type bigint; alter table a add check (w > 0);
    alter table a alter column w set not null; alter table a add column t int not null default 1; alter table a alter column t drop default;
    alter table a drop constraint a_y_key; revoke update on a from gridmast_system; drop table b; drop function f();
    create unique index on c (x); create function g() returns trigger language plpgsql as 'begin return new; end';
    create trigger t before insert on c for each row execute function g()`,
  )
  try {
    expect(await contractionsSince('0001_first.sql', folder)).toEqual([
      'gone: column a.w integer',
      'gone: column a.x integer',
      'gone: column a.z integer',
      'gone: column b.x integer',
      'gone: function f()',
      'gone: table b',
      'gone: unique key a btree (y)',
      'gone: update on a for gridmast_system',
      'required: constraint on a: CHECK ((w > 0))',
      'required: trigger t on c',
      'required: unique key c btree (x)',
      'required: value of a.t on insert',
      'required: value of a.w on insert',
    ])
    expect(await contractionsSince('0003_contracting.sql', folder)).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
