import { setTimeout } from 'node:timers/promises'
import type { App } from '#context.ts'
import { failure, type Failure } from '#connectors/fetch-text.ts'
import { eloverblikSource, fetchToken, type Access, type Fetched } from '#connectors/eloverblik/fetch.ts'
import { claimRequest, recordResult, type Claim } from '#grid/published/run-source.ts'
import type { Tx } from '#platform/records/records.ts'
import { dropAccessToken, findTokens, keepAccessToken } from './token.ts'

/** All requests to Eloverblik share one row of connector_state, so that 120 requests and 2 tokens a minute and a requested wait are kept. */

export type EloverblikApp = Pick<App, 'config' | 'records' | 'secret' | 'clock' | 'log'>

/** All requests share one limit; tokens have their own. */
export const meterData = { source: eloverblikSource, dataset: 'MeterData' }
const tokenData = { source: eloverblikSource, dataset: 'Token' }
/** 2 tokens per minute, 120 requests. */
const tokenTimes = 60

const pollMs = 50

const mustWait = async (app: EloverblikApp, { source, dataset }: typeof meterData, ms: number): Promise<boolean> => {
  const found = await app.records.system((tx) =>
    tx
      .selectFrom('connector_state')
      .select('not_before')
      .where('source', '=', source)
      .where('dataset', '=', dataset)
      .executeTakeFirst(),
  )
  return (found?.not_before?.getTime() ?? 0) - app.clock.now() > ms
}

const waitForTurn = async (
  app: EloverblikApp,
  key: typeof meterData,
  minIntervalMs: number,
  waitMs: number,
): Promise<Claim | null> => {
  const untilMs = performance.now() + waitMs
  for (;;) {
    const claim = await claimRequest(app, key, { minIntervalMs, wants: () => true }, app.clock.now())
    if (claim || performance.now() >= untilMs || (await mustWait(app, key, untilMs - performance.now()))) return claim
    await setTimeout(pollMs)
  }
}

type Saved<T> = { result: T; rowCount: number; warnings?: string[] }

type Save<T> = (tx: Tx, result: T, nowMs: number) => Promise<{ rowCount: number; changed: number; warnings: string[] }>

type Patience = {
  waitMs: number
  timeoutMs?: number
  /** An alternative exists: a failure blocks nothing and is no failure of the source. */
  mayFail?: boolean
}

const inTurn = async <T>(
  app: EloverblikApp,
  key: typeof meterData,
  minIntervalMs: number,
  { waitMs, mayFail }: Patience,
  request: () => Promise<Fetched<T>>,
  save?: Save<T>,
): Promise<Saved<T> | Failure> => {
  const claim = await waitForTurn(app, key, minIntervalMs, waitMs)
  if (!claim) return failure('rate-limited', 'the turn of this request has not come')
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
  const made = await inTurn(app, tokenData, intervalMs * tokenTimes, { waitMs }, () =>
    fetchToken({ baseUrl, token: tokens.refresh }),
  )
  if ('result' in made) {
    await keepAccessToken(app, made.result)
    return made.result
  }
  // Another process may have created one meanwhile.
  return (await findTokens(app))?.access ?? made
}

export const askEloverblik = async <T>(
  app: EloverblikApp,
  patience: Patience,
  request: (access: Access) => Promise<Fetched<T>>,
  save?: Save<T>,
): Promise<Saved<T> | Failure> => {
  const { ELOVERBLIK_URL: baseUrl, ELOVERBLIK_MIN_INTERVAL_MS: intervalMs } = app.config
  for (let tries = 1; ; tries++) {
    const token = await accessToken(app, patience.waitMs)
    if (typeof token !== 'string') return token
    const access = { baseUrl, token, ...(patience.timeoutMs ? { timeoutMs: patience.timeoutMs } : {}) }
    const answer = await inTurn(app, meterData, intervalMs, patience, () => request(access), save)
    if ('result' in answer || answer.httpStatus !== 401) return answer
    await dropAccessToken(app)
    if (tries === 2) return answer
  }
}
