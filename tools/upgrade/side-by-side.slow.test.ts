import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openChanges, signIn } from '../../faults/changes.ts'
import { takeStock } from '../../server/src/operator/backup/stock.ts'
import { openRecords } from '../../server/src/platform/records/records.ts'
import { openInstallation, type Part } from '../installation.ts'
import { deployedNginx, startNginx } from '../nginx.ts'
import { startPostgres } from '../postgres.ts'
import { root } from '../run.ts'
import { checkOut, copySources } from './check-out.ts'
import { releases } from './releases.ts'

const [last] = releases
const sources = checkOut(last)
if (!sources)
  process.stderr.write(
    `skip: the history of this copy has no commit of release ${last.name}; its recorded data is upgraded instead\n`,
  )

const closes: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closes.toReversed()) await close()
  if (sources) rmSync(sources, { recursive: true, force: true })
})

const end = async ({ process }: Part) => {
  const ended = once(process, 'exit')
  process.kill('SIGTERM')
  const [code] = (await ended) as [number | null]
  return code
}

/** Reads whole rows, whose statements a server prepares with the columns of its version. */
const paths = ['/api/client/audit', '/api/client/audit/verify', '/api/client/evc/tag', '/api/user/sessions']

const openReads = (portal: string, token: string, statuses: Set<string>) => {
  let isReading = true
  const reading = (async () => {
    for (let i = 0; isReading; i++) {
      const path = paths[i % paths.length] ?? ''
      const status = await fetch(portal + path, { headers: { authorization: `Bearer ${token}` } }).then(
        async (answer) => {
          await answer.text()
          return answer.status
        },
        () => 0,
      )
      statuses.add(`${path} ${status}`)
      await pause(20)
    }
  })()
  return {
    finish: async () => {
      isReading = false
      await reading
    },
  }
}

/** The upstreams of `cluster/http.conf`; those named in `down` as there, such as `web-1`, get no new calls. */
const upstreamsOf = (portals: readonly string[], ...down: string[]) =>
  portals
    .map((portal) => new URL(portal).host)
    .reduce(
      (text, host, i) =>
        text
          .replace(`server web-${i + 1}:3000;`, `server ${host}${down.includes(`web-${i + 1}`) ? ' down' : ''};`)
          .replace(`server ocpp-${i + 1}:3000;`, `server ${host};`),
      deployedNginx('cluster/http.conf'),
    )

/**
 * Two processes of the old version behind the proxy are replaced by two of the new one, one after the other, under load. Answers
 * each path with each status.
 */
const upgradeUnderLoad = async (oldSources: string, newSources: string): Promise<string[]> => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is needed for this test')
  closes.push(postgres.stop)
  const { start, provision, logs, stop } = await openInstallation({ DATABASE_URL: postgres.url })
  closes.push(stop)
  const old = [
    await start('old-1', 'web,jobs', {}, { sources: oldSources }),
    await start('old-2', 'web,jobs', {}, { sources: oldSources }),
  ] as const
  await provision(join(oldSources, 'demo/world.yaml'), oldSources)
  const portals = old.map(({ portal }) => portal)
  const nginx = await startNginx(upstreamsOf(portals), { tls: false })
  closes.push(nginx.stop)
  const withoutWeb = (...down: string[]) => nginx.reload(upstreamsOf(portals, ...down))
  // Before the changes: the last release may answer a sign-in beside a change 503.
  const token = await signIn(old[0])
  const changes = await openChanges({ ...old[0], portal: nginx.url }, 'upgrade')
  const statuses = new Set<string>()
  const [proxied, direct] = [openReads(nginx.url, token, statuses), openReads(old[0].portal, token, statuses)]
  const served = async () => {
    const before = changes.acknowledged()
    await expect.poll(() => changes.acknowledged() - before).toBeGreaterThan(10)
  }
  const again = ({ portal }: Part) => ({ PORT: new URL(portal).port })
  try {
    await served()
    await withoutWeb('web-2')
    expect(await end(old[1])).toBe(0)
    await start('new-2', 'web,jobs', again(old[1]), { sources: newSources })
    await withoutWeb()
    await served()
    await expect(start('old-3', 'web', {}, { sources: oldSources })).rejects.toThrow(
      /^DATABASE_URL: The records store was written by a newer Gridmast \(it has \d{4}_\w+\.sql\)\. Start that version/,
    )
    await withoutWeb('web-1')
    await direct.finish()
    expect(await end(old[0])).toBe(0)
    await start('new-1', 'web,jobs', again(old[0]), { sources: newSources })
    await withoutWeb()
    await served()
    await changes.finish()
    await proxied.finish()
  } catch (error) {
    console.error(logs(8))
    throw error
  }
  expect(changes.statuses()).toMatch(/^\d+ × 20\d$/)
  expect(await changes.compare(postgres.ownerUrl)).toEqual({ lost: 0, doubled: 0 })
  const records = await openRecords({ url: postgres.url })
  const { trails } = await takeStock(records) // throws for a broken trail
  expect(trails['nordhavn']?.entries).toBeGreaterThanOrEqual(changes.acknowledged())
  const failing = await records.system((tx) => tx.selectFrom('job').select('name').where('failures', '>', 0).execute())
  expect(failing).toEqual([])
  await records.close()
  return [...statuses].toSorted()
}

const answered = (paths: readonly string[]) => paths.map((path) => `${path} 200`).toSorted()

test.skipIf(!sources)(
  'today beside the last release: it migrates while the old one serves, no change fails or is lost',
  async () => {
    if (!sources) throw new Error('unreachable: skipped')
    const statuses = await upgradeUnderLoad(sources, root)
    // That release answers the first reading of a table with a new column 500, once for each connection.
    const withNewColumns = ['/api/client/audit', '/api/client/audit/verify'].map((path) => `${path} 500`)
    expect(statuses.filter((status) => !withNewColumns.includes(status))).toEqual(answered(paths))
  },
)

test('a next version that adds columns beside today: no call fails', async () => {
  const next = copySources()
  closes.push(() => rmSync(next, { recursive: true, force: true }))
  const columns = ['audit_entry', 'charger_tag', 'user_session', 'app_user', 'job'].map(
    (table) => `alter table ${table} add column note text;`,
  )
  writeFileSync(join(next, 'server/migrations/9000_next.sql'), columns.join('\n'))
  expect(await upgradeUnderLoad(root, next)).toEqual(answered(paths))
})
