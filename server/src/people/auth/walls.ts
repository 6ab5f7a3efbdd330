import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addWall, changeWall, openWall, type WallShow } from '@gridmast/contract/people/wall.ts'
import { addCode, getCodeOwner, useCode } from '#access/one-time-codes.ts'
import { addSession } from '#access/sessions.ts'
import { ownRoute, route } from '#context.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { countRows, selectRows, updateRows } from '#platform/records/rows.ts'
import { findUser, isAdmin, isStillValid, lockUser, maySignIn } from '#people/users.ts'
import { isValid, showOf } from './sessions.ts'
import { auditUser } from './sign-in-answer.ts'

/** Wall screens of the user and links that may still become one. */
const countWalls = async (tx: Tx, customerId: string, userId: string, nowMs: number): Promise<number> => {
  const sessions = await selectRows(tx, customerId, 'user_session', { user_id: userId })
    .select('session_id')
    .where('wall_name', 'is not', null)
    .where(isValid(nowMs))
    .execute()
  const links = await selectRows(tx, customerId, 'one_time_code', { user_id: userId, purpose: 'wall', used_at: null })
    .select('code_id')
    .where('expires_at', '>', new Date(nowMs))
    .execute()
  return sessions.length + links.length
}

const checkSignals = async (tx: Tx, customerId: string, { cards }: WallShow) => {
  const frequencies = new Set(cards.flatMap(({ frequencyId }) => frequencyId ?? []))
  const prices = new Set(cards.flatMap(({ priceSignalId }) => priceSignalId ?? []))
  const existing =
    (await countRows(selectRows(tx, customerId, 'frequency_signal', { frequency_id: [...frequencies] }))) +
    (await countRows(selectRows(tx, customerId, 'price_signal', { price_signal_id: [...prices] })))
  if (existing < frequencies.size + prices.size) throw notFound()
}

const add = ownRoute(addWall, async (tx, customerId, { app, viewer, audit, nowMs, body }) => {
  const { userId } = viewer
  if (body.show) await checkSignals(tx, customerId, body.show)
  await lockUser(tx, customerId, userId)
  if ((await countWalls(tx, customerId, userId, nowMs)) >= limits.walls)
    throw new Refusal(409, m.tooManyWalls(limits.walls))
  await audit(tx, 'auth.wall-link', body.name)
  const owner = { customer_id: customerId, user_id: userId }
  const code = { purpose: 'wall' as const, nowMs, lifeMs: limits.linkLifeMs, detail: body.name, wallShow: body.show }
  return { id: await addCode(tx, app.secret, owner, code) }
})

const open = route(openWall, async (context) => {
  const { app, body, nowMs, request } = context
  const ended = new Refusal(401, m.wallLinkEnded)
  const owner = await app.records.system((tx) => getCodeOwner(tx, app.secret, 'wall', body.id, nowMs))
  if (!owner) throw ended
  return app.records.tenant(owner.customer_id, async (tx) => {
    const user = await findUser(tx, owner)
    if (!user || !maySignIn(user) || isAdmin(user) || !(await isStillValid(tx, user))) throw ended
    const code = await useCode(tx, app.secret, 'wall', body.id, nowMs)
    if (!code || code.created_at < user.password_updated_at) throw ended
    const name = code.detail ?? ''
    const token = await addSession(tx, {
      customerId: user.customer_id,
      userId: user.user_id,
      remembered: false,
      wallName: name,
      wallShow: showOf(code.wall_show),
      nowMs,
      userAgent: request.headers['user-agent'],
      address: request.ip,
    })
    await auditUser(tx, context, user, 'auth.wall', { subject: name })
    return { token, name }
  })
})

const change = route(changeWall, async ({ app, viewer, own, audit, nowMs, params, body: { show } }) => {
  const { customerId, userId } = viewer
  await own(async (tx) => {
    await checkSignals(tx, customerId, show)
    const session = { user_id: userId, session_id: params.sessionId }
    const before = await selectRows(tx, customerId, 'user_session', session)
      .select(['wall_name', 'wall_show'])
      .where('wall_name', 'is not', null)
      .where(isValid(nowMs))
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound()
    await updateRows(tx, customerId, 'user_session', session)
      .set({ wall_show: JSON.stringify(show) })
      .execute()
    await audit(tx, 'auth.wall-cards', before.wall_name ?? '', { before: before.wall_show, after: show })
  })
  app.live.publish(customerId, 'profile', { sessionId: params.sessionId })
})

export const walls = [add, open, change]
