import { setTimeout } from 'node:timers/promises'
import type { App } from '#context.ts'
import { failure, type Failure } from '#connectors/fetch-text.ts'
import { eloverblikSource, fetchToken, type Access, type Fetched } from '#connectors/eloverblik/fetch.ts'
import { claimRequest, recordResult } from '#grid/published/run-source.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import { createHash } from 'node:crypto'
import { dayMs, minuteMs } from '@gridmast/contract/time.ts'
import { operator } from '#config.ts'
import { tokenEndsMs } from '#connectors/eloverblik/parse.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { tokenEnds } from './mails.ts'

/** All requests to Eloverblik share one row of connector_state, so that 120 requests and 2 tokens a minute and a requested wait are kept. */

export type EloverblikApp = Pick<App, 'config' | 'records' | 'secret' | 'clock' | 'log'>

export const meterData = { source: eloverblikSource, dataset: 'MeterData' }
const tokenData = { source: eloverblikSource, dataset: 'Token' }
/** 2 tokens per minute, 120 requests. */
const tokenTimes = 60

const pollMs = 50

const mustWait = async (app: EloverblikApp, { source, dataset }: typeof meterData, ms: number): Promise<boolean> => {
  const [state] = await app.records.system(
    (tx) =>
      sqlRows<{ not_before: Date | null }>(tx)`
      select not_before from connector_state where source = ${source} and dataset = ${dataset}`,
  )
  return (state?.not_before?.getTime() ?? 0) - app.clock.now() > ms
}

const waitForTurn = async (app: EloverblikApp, key: typeof meterData, minIntervalMs: number, waitMs: number) => {
  const untilMs = performance.now() + waitMs
  for (;;) {
    const claim = await claimRequest(app, key, { minIntervalMs, wants: () => true }, app.clock.now())
    if (claim || performance.now() >= untilMs || (await mustWait(app, key, untilMs - performance.now()))) return claim
    await setTimeout(pollMs)
  }
}

type SavedResult<T> = { result: T; rowCount: number; warnings?: string[] }

type Save<T> = (tx: Tx, result: T, nowMs: number) => Promise<{ rowCount: number; changed: number; warnings: string[] }>

type RequestLimits = {
  waitMs: number
  timeoutMs?: number
  /** An alternative exists: a failure blocks nothing and is no failure of the source. */
  mayFail?: boolean
}

const runInTurn = async <T>(
  app: EloverblikApp,
  key: typeof meterData,
  minIntervalMs: number,
  { waitMs, mayFail }: RequestLimits,
  request: () => Promise<Fetched<T>>,
  save?: Save<T>,
): Promise<SavedResult<T> | Failure> => {
  const claim = await waitForTurn(app, key, minIntervalMs, waitMs)
  if (!claim) return failure('rate-limited', 'the request has to wait for its turn')
  const answer = await request()
  const nowMs = app.clock.now()
  const run = { nowMs, simulated: app.config.EDS_SIMULATED === 'on' }
  const saved = await app.records.system(async (tx) => {
    if (!answer.ok) {
      await recordResult(tx, key, claim, answer, { ...run, changed: 0, isBackfill: mayFail === true })
      return null
    }
    const saved = (await save?.(tx, answer.result, nowMs)) ?? { rowCount: 1, changed: 0, warnings: [] }
    await recordResult(tx, key, claim, { ...answer, ...saved }, { ...run, changed: saved.changed })
    return saved
  })
  if (!answer.ok) {
    app.log.warn({ ...key, kind: answer.kind, detail: answer.detail }, 'eloverblik: request failed')
    return answer
  }
  return { result: answer.result, rowCount: saved?.rowCount ?? 0, warnings: saved?.warnings ?? [] }
}

const noToken = failure('forbidden', 'no refresh token is set')

const accessToken = async (app: EloverblikApp, waitMs: number): Promise<string | Failure> => {
  const tokens = await findTokens(app)
  if (!tokens) return noToken
  if (tokens.access) return tokens.access
  const { ELOVERBLIK_URL: baseUrl, ELOVERBLIK_MIN_INTERVAL_MS: intervalMs } = app.config
  const answer = await runInTurn(app, tokenData, intervalMs * tokenTimes, { waitMs }, () =>
    fetchToken({ baseUrl, token: tokens.refresh }),
  )
  if ('result' in answer) {
    await saveAccessToken(app, answer.result)
    return answer.result
  }
  // Another process may have created one meanwhile.
  return (await findTokens(app))?.access ?? answer
}

export const requestEloverblik = async <T>(
  app: EloverblikApp,
  patience: RequestLimits,
  request: (access: Access) => Promise<Fetched<T>>,
  save?: Save<T>,
): Promise<SavedResult<T> | Failure> => {
  const { ELOVERBLIK_URL: baseUrl, ELOVERBLIK_MIN_INTERVAL_MS: intervalMs } = app.config
  for (let tries = 1; ; tries++) {
    const token = await accessToken(app, patience.waitMs)
    if (typeof token !== 'string') return token
    const access = { baseUrl, token, ...(patience.timeoutMs ? { timeoutMs: patience.timeoutMs } : {}) }
    const answer = await runInTurn(app, meterData, intervalMs, patience, () => request(access), save)
    if ('result' in answer || answer.httpStatus !== 401) return answer
    await deleteAccessToken(app)
    if (tries === 2) return answer
  }
}

/** A data access token lasts 24 hours; it is replaced before a request could outlast it. */
const accessMs = dayMs - 10 * minuteMs

const tokenRow = (tx: Tx) => tx.selectFrom('connector_token').selectAll().where('source', '=', eloverblikSource)
const updateToken = (tx: Tx) => tx.updateTable('connector_token').where('source', '=', eloverblikSource)

export const saveRefreshToken = async (app: Pick<App, 'config' | 'records' | 'secret'>): Promise<void> => {
  const token = app.config.ELOVERBLIK_TOKEN
  if (!token) return
  const sha256 = createHash('sha256').update(token).digest()
  await app.records.system(async (tx) => {
    const stored = await tokenRow(tx).forUpdate().executeTakeFirst()
    if (stored && sha256.equals(stored.refresh_sha256)) return
    const endsMs = tokenEndsMs(token)
    const columns = {
      refresh_sealed: app.secret.seal(token),
      refresh_sha256: sha256,
      expires_at: endsMs === null ? null : new Date(endsMs),
      access_sealed: null,
      access_until: null,
      warned_days: null,
    }
    await tx
      .insertInto('connector_token')
      .values({ source: eloverblikSource, ...columns })
      .onConflict((conflict) => conflict.column('source').doUpdateSet(columns))
      .execute()
  })
}

const findTokens = async (app: Pick<App, 'records' | 'secret' | 'clock'>) => {
  const stored = await app.records.system((tx) => tokenRow(tx).executeTakeFirst())
  if (!stored) return null
  const isGood = stored.access_sealed !== null && (stored.access_until?.getTime() ?? 0) > app.clock.now()
  return {
    refresh: app.secret.unseal(stored.refresh_sealed),
    access: isGood && stored.access_sealed ? app.secret.unseal(stored.access_sealed) : null,
  }
}

const saveAccessToken = async (app: Pick<App, 'records' | 'secret' | 'clock'>, token: string): Promise<void> => {
  const untilMs = Math.min(app.clock.now() + accessMs, tokenEndsMs(token) ?? Infinity)
  await app.records.system((tx) =>
    updateToken(tx)
      .set({ access_sealed: app.secret.seal(token), access_until: new Date(untilMs) })
      .execute(),
  )
}

const deleteAccessToken = (app: Pick<App, 'records'>) =>
  app.records.system((tx) => updateToken(tx).set({ access_sealed: null, access_until: null }).execute())

const warningDays = [30, 7, 1]

/** Mails the operator before the refresh token ends: without a new one no meter is read. */
export const warnOfEnd = (app: Pick<App, 'records' | 'config' | 'clock'>): Promise<void> =>
  app.records.system(async (tx) => {
    const stored = await tokenRow(tx).forUpdate().executeTakeFirst()
    if (!stored?.expires_at) return
    const nowMs = app.clock.now()
    const daysLeft = Math.max(0, Math.floor((stored.expires_at.getTime() - nowMs) / dayMs))
    const due = warningDays.findLast((days) => daysLeft <= days)
    if (due === undefined || (stored.warned_days !== null && stored.warned_days <= due)) return
    await updateToken(tx).set({ warned_days: due }).execute()
    await queueMail(tx, operator(app.config, null), tokenEnds(stored.expires_at.getTime()))
  })
