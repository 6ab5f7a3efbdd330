import { createHash } from 'node:crypto'
import { dayMs, minuteMs } from '@gridmast/contract/time.ts'
import { operator } from '#config.ts'
import type { App } from '#context.ts'
import { eloverblikSource } from '#connectors/eloverblik/fetch.ts'
import { tokenEndsMs } from '#connectors/eloverblik/parse.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { tokenEnds } from './mails.ts'

/** The operator's refresh token and the access token created from it, sealed in the store that all processes share. */

/** A data access token lasts 24 hours; it is replaced before a request could outlast it. */
const accessMs = dayMs - 10 * minuteMs

const row = (tx: Tx) => tx.selectFrom('connector_token').selectAll().where('source', '=', eloverblikSource)
const update = (tx: Tx) => tx.updateTable('connector_token').where('source', '=', eloverblikSource)

export const keepRefreshToken = async (app: Pick<App, 'config' | 'records' | 'secret'>): Promise<void> => {
  const token = app.config.ELOVERBLIK_TOKEN
  if (!token) return
  const sha256 = createHash('sha256').update(token).digest()
  await app.records.system(async (tx) => {
    const known = await row(tx).forUpdate().executeTakeFirst()
    if (known && sha256.equals(known.refresh_sha256)) return
    const endsMs = tokenEndsMs(token)
    const fresh = {
      refresh_sealed: app.secret.seal(token),
      refresh_sha256: sha256,
      expires_at: endsMs === null ? null : new Date(endsMs),
      access_sealed: null,
      access_until: null,
      warned_days: null,
    }
    await tx
      .insertInto('connector_token')
      .values({ source: eloverblikSource, ...fresh })
      .onConflict((conflict) => conflict.column('source').doUpdateSet(fresh))
      .execute()
  })
}

type Tokens = { refresh: string; access: string | null }

export const findTokens = async (app: Pick<App, 'records' | 'secret' | 'clock'>): Promise<Tokens | null> => {
  const found = await app.records.system((tx) => row(tx).executeTakeFirst())
  if (!found) return null
  const isGood = found.access_sealed !== null && (found.access_until?.getTime() ?? 0) > app.clock.now()
  return {
    refresh: app.secret.unseal(found.refresh_sealed),
    access: isGood && found.access_sealed ? app.secret.unseal(found.access_sealed) : null,
  }
}

export const keepAccessToken = async (app: Pick<App, 'records' | 'secret' | 'clock'>, token: string): Promise<void> => {
  const untilMs = Math.min(app.clock.now() + accessMs, tokenEndsMs(token) ?? Infinity)
  await app.records.system((tx) =>
    update(tx)
      .set({ access_sealed: app.secret.seal(token), access_until: new Date(untilMs) })
      .execute(),
  )
}

export const dropAccessToken = (app: Pick<App, 'records'>) =>
  app.records.system((tx) => update(tx).set({ access_sealed: null, access_until: null }).execute())

const warnings = [30, 7, 1]

/** Mails the operator before the refresh token ends: without a new one no meter is read. */
export const warnOfEnd = (app: Pick<App, 'records' | 'config' | 'clock'>): Promise<void> =>
  app.records.system(async (tx) => {
    const found = await row(tx).forUpdate().executeTakeFirst()
    if (!found?.expires_at) return
    const nowMs = app.clock.now()
    const daysLeft = Math.max(0, Math.floor((found.expires_at.getTime() - nowMs) / dayMs))
    const due = warnings.findLast((days) => daysLeft <= days)
    if (due === undefined || (found.warned_days !== null && found.warned_days <= due)) return
    await update(tx).set({ warned_days: due }).execute()
    await queueMail(tx, operator(app.config, null), tokenEnds(found.expires_at.getTime()))
  })
