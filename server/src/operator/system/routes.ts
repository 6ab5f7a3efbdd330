import { calls } from '@gridmast/contract/calls.ts'
import { openApiDocument } from '@gridmast/contract/openapi.ts'
import { docs, health, historyProgress, openApi, systemStatus } from '@gridmast/contract/operator/system.ts'
import { isAtThisMachine } from '#platform/http/address.ts'
import { readHealth } from '#platform/process/health.ts'
import { pagePolicy } from '#platform/http/security-headers.ts'
import { version } from '#platform/process/version.ts'
import { route } from '#context.ts'
import { madeOnce } from './pages.ts'
import { docsPage } from './pages.ts'
import { lastCount } from './sources.ts'
import { lastSources } from './sources.ts'
import { countInstances, countMonths, findEdges, findPutAside, findSignalNos } from './queries.ts'

/** Generated at the first request, so that the start does not wait for it. */
const document = () => openApiDocument(calls, version)
const sendDocument = madeOnce('application/json; charset=utf-8', () => JSON.stringify(document()))
const sendDocs = madeOnce('text/html; charset=utf-8', () => docsPage(calls, document()))

const lagS = (at: Date | null, nowMs: number) => (at ? Math.max(0, Math.round((nowMs - at.getTime()) / 1000)) : null)

export const system = [
  route(health, async ({ app, request, reply }) => {
    const found = await readHealth(app.parts)
    if (!found.ready) void reply.code(503).header('retry-after', 5)
    if (isAtThisMachine(request)) return found
    // Details are error texts of the engines and hidden from remote clients.
    const states = Object.entries(found.parts).map(([name, { ready }]) => [name, { ready }] as const)
    return { ...found, parts: Object.fromEntries(states) }
  }),

  route(openApi, async (ask) => sendDocument(ask)),

  route(docs, async (ask) => {
    void ask.reply.header('content-security-policy', pagePolicy)
    return sendDocs(ask)
  }),

  route(historyProgress, async ({ app, own, viewer, nowMs }) => {
    const { done, all } = await own(countMonths)
    return {
      telemetry: app.backlogs.arrivedShare(viewer.customerId, nowMs),
      marketData: done < all ? { done, all } : null,
    }
  }),

  route(systemStatus, async ({ app, own, viewer, nowMs }) => {
    const { edges, instanceCount, signalNos, putAside } = await own(async (tx, customerId) => ({
      edges: await findEdges(tx, customerId),
      instanceCount: await countInstances(tx, customerId),
      signalNos: await findSignalNos(tx, customerId),
      putAside: await findPutAside(tx, customerId),
    }))
    const latest = await app.readings.latest(signalNos)
    const lastUpdatedMs = Math.max(0, ...[...latest.values()].map((sample) => sample.tMs))
    const count = () => app.readings.storageBytes(signalNos)
    const [storage, sources] = await Promise.all([
      lastCount(app, nowMs, `storage ${viewer.customerId}`, count),
      lastSources(app, nowMs),
    ])
    const countedAtMs = storage && sources && Math.min(storage.countedAtMs, sources.countedAtMs)
    return {
      storage: storage && Math.round(storage.value / 1e5) / 10,
      countedAt: countedAtMs === null ? null : new Date(countedAtMs).toISOString(),
      instanceCount,
      lastUpdated: lastUpdatedMs > 0 ? new Date(lastUpdatedMs).toISOString() : null,
      sources: [
        ...[...app.readings.troubles().map((detail) => ({ source: 'Readings store', detail })), ...putAside].map(
          (one) => ({
            ...one,
            lastSuccess: null,
            lagS: null,
            simulated: false,
          }),
        ),
        ...(sources?.value ?? []),
        ...edges.map((row) => ({
          source: `Edge ${row.key}`,
          lastSuccess: row.last_reported_at?.toISOString() ?? null,
          lagS: lagS(row.last_reported_at, nowMs),
          simulated: row.simulated,
          detail: row.online === false ? 'Reported itself offline' : null,
        })),
      ],
    }
  }),
]
