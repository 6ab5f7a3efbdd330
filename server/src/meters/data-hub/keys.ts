import {
  addMeterGroup,
  findMeterGroups,
  isRegularCvr,
  removeMeterGroup,
  saveMeterGroup,
} from '@gridmast/contract/meters/data-hub.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { today } from '@gridmast/contract/time.ts'
import type { Failure } from '#connectors/fetch-text.ts'
import { eloverblikSource, fetchAuthorizations } from '#connectors/eloverblik/fetch.ts'
import type { MeteringPoint } from '#connectors/eloverblik/parse.ts'
import { getSource } from '#grid/published/sources.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { openProgress, type Progress } from '#platform/http/live.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, insertRow, updateRows } from '#platform/records/rows.ts'
import { type App, route } from '#context.ts'
import { askEloverblik, meterData } from './eloverblik.ts'
import { listMeteringPoints, saveMeteringPoints } from './listing.ts'
import { countGroups, findCvrs, findGroups, findMeters, getGroup, toGroup } from './queries.ts'
import { keepRefreshToken } from './token.ts'

const find = route(findMeterGroups, async ({ own }) =>
  own(async (tx, customerId) => {
    const ofGroup = Map.groupBy(await findMeters(tx, customerId), ({ group_id }) => group_id)
    const groups = await findGroups(tx, customerId)
    return {
      groups: groups.map((group) => toGroup(group, ofGroup.get(group.group_id) ?? [])),
      source: await getSource(tx, meterData),
    }
  }),
)

const patience = { waitMs: 5000, timeoutMs: 20_000 }

const refusalOf = ({ kind, httpStatus }: Failure): Refusal =>
  kind === 'forbidden' || httpStatus === 401
    ? new Refusal(409, m.eloverblikToken)
    : new Refusal(503, m.eloverblikAway, { retryAfterS: 60 })

const findPoints = async (app: App, cvr: string, nowMs: number, progress: Progress): Promise<MeteringPoint[]> => {
  await keepRefreshToken(app)
  const authorizations = await askEloverblik(app, patience, fetchAuthorizations)
  if (!('result' in authorizations)) throw refusalOf(authorizations)
  const isValid = (until: string | null) => until === null || until.slice(0, 10) >= today(nowMs)
  if (!authorizations.result.some((one) => one.cvr === cvr && isValid(one.validTo)))
    throw invalid({ 'dataHub.key': m.noAuthorization(cvr) })
  const points = await listMeteringPoints(app, { ...patience, progress }, cvr)
  if (!('result' in points)) throw refusalOf(points)
  return points.result
}

const checkKey = async (tx: Tx, customerId: string, cvr: string): Promise<void> => {
  const groups = await findGroups(tx, customerId)
  if (groups.some((group) => group.cvr === cvr)) throw new Refusal(409, m.keyExists)
  // T1: the operator's access covers other companies too, so it must state the owner of a CVR number.
  if (!(await findCvrs(tx, customerId)).includes(cvr)) throw invalid({ 'dataHub.key': m.cvrNotYours })
}

const add = route(addMeterGroup, async ({ app, viewer, own, audit, nowMs, body }) => {
  const { key } = body.dataHub
  await own((tx, customerId) => checkKey(tx, customerId, key))
  const points = await findPoints(app, key, nowMs, openProgress(app.live, viewer.customerId, body.watch))
  const group = await own(async (tx, customerId) => {
    if ((await countGroups(tx, customerId)) >= limits.meterGroups)
      throw new Refusal(409, m.tooManyKeyGroups(limits.meterGroups))
    await checkKey(tx, customerId, key)
    const [groupId, now] = [newId(nowMs), new Date(nowMs)]
    await insertRow(tx, customerId, 'meter_group', {
      group_id: groupId,
      cvr: key,
      name: null,
      created_at: now,
      listed_at: now,
    }).execute()
    await saveMeteringPoints(tx, { customerId, groupId }, points, nowMs)
    await audit(tx, 'data-hub.add-key', key, { after: { key, meters: points.length, source: eloverblikSource } })
    return toGroup(await getGroup(tx, customerId, groupId), await findMeters(tx, customerId, groupId))
  })
  await app.jobs.kick('meter-readings')
  return { group, warning: isRegularCvr(key) ? null : m.cvrChecksum }
})

const save = route(saveMeterGroup, async ({ own, audit, params, body }) => {
  const name = body.dataHub.name || null
  await own(async (tx, customerId) => {
    const before = await getGroup(tx, customerId, params.groupId)
    await updateRows(tx, customerId, 'meter_group', { group_id: params.groupId }).set({ name }).execute()
    await audit(tx, 'data-hub.save-key', before.cvr, { before: { name: before.name }, after: { name } })
  })
})

const remove = route(removeMeterGroup, async ({ own, audit, params }) => {
  await own(async (tx, customerId) => {
    const before = await getGroup(tx, customerId, params.groupId)
    const { length } = await findMeters(tx, customerId, params.groupId)
    const removed = await deleteRows(tx, customerId, 'meter_group', { group_id: params.groupId }).executeTakeFirst()
    if (removed.numDeletedRows === 0n) throw notFound()
    await audit(tx, 'data-hub.remove-key', before.cvr, {
      before: { key: before.cvr, name: before.name, meters: length },
    })
  })
})

export const keys = [find, add, save, remove]
