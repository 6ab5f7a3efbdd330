import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRecords, type Records, type SlowTransaction } from './records.ts'

let root: string
let made: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gridmast-embedded-'))
  made = join(root, 'made')
  const records = await openRecords({ dataDir: made })
  await records.script(
    `create role gridmast_system; create table account (id int primary key, held int not null);
     create table moved (n int primary key); create table bulk (text text);
     insert into account values (1, 1000), (2, 0); grant all on account, moved, bulk to gridmast_system`,
  )
  await records.close()
})
afterAll(() => rm(root, { recursive: true }))

const folderOf = async (name: string) => {
  await cp(made, join(root, name), { recursive: true })
  return join(root, name)
}

const move = (records: Records, n: number) =>
  records.system(async (tx) => {
    await sql`update account set held = held - 1 where id = ${1 + (n % 2)}`.execute(tx)
    await sql`insert into moved values (${n})`.execute(tx)
    await sql`update account set held = held + 1 where id = ${2 - (n % 2)}`.execute(tx)
  })

const contentOf = async (dataDir: string) => {
  const records = await openRecords({ dataDir })
  const { rows } = await records.system((tx) =>
    sql<{ held: number; moved: number; highest: number }>`
      select (select sum(held) from account)::int as held, count(*)::int as moved, coalesce(max(n), 0) as highest from moved`.execute(
      tx,
    ),
  )
  await records.close()
  return rows[0] ?? { held: 0, moved: 0, highest: 0 }
}

test('the process answers other calls during a query', async () => {
  const records = await openRecords({ dataDir: await folderOf('busy') })
  let isRunning = true
  let turns = 0
  const heavy = records
    .system((tx) => sql`select sum(sqrt(i)) from generate_series(1, 2000000) i`.execute(tx))
    .finally(() => (isRunning = false))
  while (isRunning && turns < 1000) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  expect(turns).toBe(1000)
  await heavy
  await records.close()
})

test('a copy during writes has all data committed before', async () => {
  const records = await openRecords({ dataDir: await folderOf('copied') })
  let done = 0
  let isCopying = true
  const writing = (async () => {
    while (isCopying || done < 50) {
      await move(records, done + 1)
      done++
      if (done % 20 === 0)
        await records.system((tx) =>
          sql`insert into bulk select repeat('x', 200) from generate_series(1, 2000)`.execute(tx),
        )
    }
  })()
  await expect.poll(() => done).toBeGreaterThan(10)
  for (const name of ['copy-1', 'copy-2']) {
    const before = done
    await records.copyTo(join(root, name))
    const after = done
    expect(after).toBeGreaterThan(before) // writes continued during the copy
    const copied = await contentOf(join(root, name))
    expect(copied.held).toBe(1000)
    expect(copied.highest).toBe(copied.moved)
    expect(copied.moved).toBeGreaterThanOrEqual(before)
  }
  isCopying = false
  await writing
  await records.close()
})

test('a failed copy is reported, and the next one works', async () => {
  const records = await openRecords({ dataDir: await folderOf('unwritable') })
  await expect(records.copyTo(made)).rejects.toThrow('EEXIST') // a copy never overwrites another store
  await records.copyTo(join(root, 'second-try'))
  expect((await contentOf(join(root, 'second-try'))).held).toBe(1000)
  await records.close()
})

test('the write-ahead log stays short during many writes', async () => {
  const folder = await folderOf('log')
  const records = await openRecords({ dataDir: folder })
  const logMb = () => {
    const log = join(folder, 'pg_wal')
    const names = readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name))
    return names.reduce((sum, name) => sum + statSync(join(log, name)).size, 0) / 1024 / 1024
  }
  for (let i = 0; i < 8; i++)
    await records.system((tx) =>
      sql`insert into bulk select repeat('x', 200) from generate_series(1, 60000)`.execute(tx),
    )
  const shortLog = async () => {
    await records.ping()
    return logMb()
  }
  await expect.poll(shortLog).toBeLessThanOrEqual(80)
  await records.close()
})

const inProcess = (script: string): ChildProcess => {
  const module = JSON.stringify(join(import.meta.dirname, 'records.ts'))
  const code = `import { openRecords } from ${module}; import { sql } from 'kysely'; ${script}`
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

test('kill -9 loses no committed data', async () => {
  const folder = await folderOf('killed')
  let before = await contentOf(folder)
  for (let round = 0; round < 3; round++) {
    const child = inProcess(`
      const records = await openRecords({ dataDir: ${JSON.stringify(folder)} })
      for (let n = ${before.moved + 1}; ; n++) {
        await records.system(async (tx) => {
          await sql\`update account set held = held - 1 where id = 1\`.execute(tx)
          await sql\`insert into moved values (\${n})\`.execute(tx)
          await sql\`update account set held = held + 1 where id = 2\`.execute(tx)
        })
        console.log(n)
      }`)
    let acknowledged = 0
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      acknowledged = Number(line)
      if (acknowledged >= before.moved + 30) child.kill('SIGKILL')
    }
    expect(acknowledged).toBeGreaterThanOrEqual(before.moved + 30)
    const after = await contentOf(folder)
    expect(after.held).toBe(1000)
    expect(after.moved).toBe(after.highest)
    expect(after.moved).toBeGreaterThanOrEqual(acknowledged)
    before = after
  }
})

test('the process ends with an ended engine and logs its last output', async () => {
  const folder = await folderOf('failing')
  const child = inProcess(`
    import { rmSync } from 'node:fs'
    const records = await openRecords({ dataDir: ${JSON.stringify(folder)} })
    rmSync(${JSON.stringify(join(folder, 'pg_wal'))}, { recursive: true })
    const work = records.system((tx) => sql\`insert into bulk select repeat('x', 200) from generate_series(1, 200000)\`.execute(tx))
    await work.catch(() => {})
    setTimeout(() => console.log('still there'), 60000)`)
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit'),
  ])
  expect(said).toBe('')
  expect(complained).toMatch(/The engine of the records store has stopped: .*PANIC.*pg_wal/)
  expect(code).not.toBe(0)
})

test('a folder with an invalid store fails with the reason', async () => {
  const folder = await folderOf('broken')
  await rm(join(folder, 'global'), { recursive: true })
  await expect(openRecords({ dataDir: folder })).rejects.toThrow('The engine of the records store has stopped')
})

test('an idle store does not keep a process alive, a used one does', async () => {
  const folder = await folderOf('idle')
  const child = inProcess(`
    const records = await openRecords({ dataDir: ${JSON.stringify(folder)} })
    await records.system((tx) => sql\`select sum(sqrt(i)) from generate_series(1, 500000) i\`.execute(tx))
    console.log('answered')`)
  const [said, [code]] = await Promise.all([text(child.stdout as NodeJS.ReadableStream), once(child, 'exit')])
  expect([said.trim(), code]).toEqual(['answered', 0])
})

test('slow transactions are logged with their longest statement, failed ones too', async () => {
  const told: SlowTransaction[] = []
  const limit = { fromMs: 0, report: (slow: SlowTransaction) => void told.push(slow) }
  const records = await openRecords({ slow: limit })
  try {
    await records.script('create role gridmast_system')
    const failed = records.system(async (tx) => {
      await sql`select 1`.execute(tx)
      await sql`select pg_sleep(${1}) as longest`.execute(tx)
      throw new Error('taken back')
    })
    await expect(failed).rejects.toThrow('taken back')
    await records.alone(1, (tx) => sql`select 1`.execute(tx))
    limit.fromMs = 60_000
    await records.system((tx) => sql`select 1`.execute(tx))
    expect(told).toEqual([
      {
        ms: expect.any(Number),
        statements: 2,
        longest: { ms: expect.any(Number), sql: 'select pg_sleep($1) as longest' },
      },
    ])
  } finally {
    await records.close()
  }
})
