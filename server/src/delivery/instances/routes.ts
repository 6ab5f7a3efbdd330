import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import * as contract from '@gridmast/contract/delivery/edges.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { hasEvents, isMarket } from '@gridmast/contract/markets.ts'
import { m } from '@gridmast/contract/messages.ts'
import { marketRefusal } from '@gridmast/contract/screens.ts'
import { hourMs, today, type LocalDate } from '@gridmast/contract/time.ts'
import { ownRoute, route } from '#context.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import {
  countRows,
  getRow,
  insertRow,
  lockCustomer,
  lockRow,
  selectRows,
  sqlRows,
  updateRows,
} from '#platform/records/rows.ts'
import { hashMachineSecret } from '#platform/security/token.ts'
import { brokerAddress } from './broker-address.ts'
import { edgeRow, instanceRow, signalRows } from './rows.ts'
import { byName } from '#platform/http/list-query.ts'

/** Hexadecimal, so that a shell needs no quotes and no client reads a leading `-` as an option. */
const newSecret = () => {
  const secret = randomBytes(20).toString('hex')
  return { secret, hash: hashMachineSecret(secret) }
}

const danish: Record<string, string> = { æ: 'ae', ø: 'oe', å: 'aa' }

/** Of the characters of keys in the provisioning file. */
const keyOfName = (name: string, maxLength: number) =>
  name
    .toLowerCase()
    .replaceAll(/[æøå]/g, (letter) => danish[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replaceAll(/^-|-$/g, '')

const edgesChanged = (tx: Tx, customerId: string) => {
  rowChanged(tx, 'edges', customerId)
  rowChanged(tx, 'customer', customerId)
}

const companyKey = async (tx: Tx, customerId: string) => (await getRow(tx, customerId, 'customer', {}, ['key'])).key

/** Edges of the operator's file keep what the file sets. */
const lockOwnEdge = async (tx: Tx, customerId: string, edgeId: string) => {
  const edge = await lockRow(tx, customerId, 'edge', { edge_id: edgeId }, ['key', 'name', 'enabled', 'registered_by'])
  if (edge.registered_by === null) throw new Refusal(409, m.edgeProvisioned)
  return edge
}

const find = ownRoute(contract.findEdges, async (tx, customerId, { app }) => {
  const edges = await selectRows(tx, customerId, 'edge')
    .selectAll()
    .orderBy(byName(sql`name`))
    .orderBy('key')
    .execute()
  const instances = await selectRows(tx, customerId, 'instance', { enabled: true })
    .select(['instance_id', 'edge_id', 'key', 'name', 'area', 'markets', 'flexible_kw'])
    .orderBy('position')
    .execute()
  const ofEdge = Map.groupBy(instances, ({ edge_id }) => edge_id)
  return {
    broker: brokerAddress(app.config),
    edges: edges.map((edge) => ({
      _id: edge.edge_id,
      key: edge.key,
      name: edge.name,
      site: edge.site,
      area: edge.area,
      enabled: edge.enabled,
      isOwn: edge.registered_by !== null,
      lastReported: edge.last_reported_at?.toISOString() ?? null,
      codeVersion: edge.code_version,
      instances: (ofEdge.get(edge.edge_id) ?? []).map((one) => ({
        _id: one.instance_id,
        key: one.key,
        name: one.name,
        area: one.area,
        markets: one.markets,
        flexibleKw: Number(one.flexible_kw),
      })),
    })),
  }
})

const add = ownRoute(contract.addEdge, async (tx, customerId, { audit, viewer, body }) => {
  await lockCustomer(tx, customerId)
  if ((await countRows(selectRows(tx, customerId, 'edge'))) >= limits.edges)
    throw new Refusal(409, m.tooManyEdges(limits.edges))
  const company = await companyKey(tx, customerId)
  const random = randomBytes(4).toString('hex')
  const key = [company.slice(0, 20), keyOfName(body.name, 24), random].filter((part) => part !== '').join('-')
  const { secret, hash } = newSecret()
  const row = edgeRow(company, { key, ...body, simulated: false })
  await insertRow(tx, customerId, 'edge', { ...row, password_hash: hash, registered_by: viewer.userId }).execute()
  edgesChanged(tx, customerId)
  await audit(tx, 'edge.add', body.name, { after: { ...body, edge: row.edge_id, key } })
  return { _id: row.edge_id, key, secret }
})

const renew = ownRoute(contract.renewEdgeSecret, async (tx, customerId, { audit, params }) => {
  const { key, name } = await lockOwnEdge(tx, customerId, params.id)
  const { secret, hash } = newSecret()
  await updateRows(tx, customerId, 'edge', { edge_id: params.id }).set({ password_hash: hash }).execute()
  edgesChanged(tx, customerId)
  await audit(tx, 'edge.secret', name, { after: { edge: params.id } })
  return { _id: params.id, key, secret }
})

const setEnabled = ownRoute(contract.setEdgeEnabled, async (tx, customerId, { audit, params, body: { enabled } }) => {
  const before = await lockOwnEdge(tx, customerId, params.id)
  if (before.enabled === enabled) return
  await updateRows(tx, customerId, 'edge', { edge_id: params.id }).set({ enabled }).execute()
  edgesChanged(tx, customerId)
  await audit(tx, 'edge.enabled', before.name, { before: { enabled: before.enabled }, after: { enabled } })
})

/** The license of one of the markets, else of any market: an instance is listed under one license. */
const licenceOf = async (tx: Tx, customerId: string, markets: readonly string[]): Promise<string> => {
  const licences = await selectRows(tx, customerId, 'licence', { enabled: true })
    .select(['licence_id', 'type'])
    .orderBy('type')
    .execute()
  const ofMarkets = markets.flatMap((market) => licences.find(({ type }) => type === market) ?? [])
  const licence = ofMarkets[0] ?? licences.find(({ type }) => isMarket(type))
  if (!licence) throw new Refusal(409, m.licenseNotActive)
  return licence.licence_id
}

const newInstanceKey = async (tx: Tx, customerId: string, name: string): Promise<string> => {
  const rows = await selectRows(tx, customerId, 'instance').select('key').execute()
  const used = new Set(rows.map(({ key }) => key))
  const wanted = keyOfName(name, 40) || 'instance'
  if (!used.has(wanted)) return wanted
  let no = 2
  while (used.has(`${wanted}-${no}`)) no++
  return `${wanted}-${no}`
}

const addInstance = ownRoute(contract.addEdgeInstance, async (tx, customerId, { audit, viewer, params, body }) => {
  await lockCustomer(tx, customerId)
  const edge = await lockOwnEdge(tx, customerId, params.id)
  if (!edge.enabled) throw new Refusal(409, m.edgeDisabled)
  if (body.markets.some((market) => marketRefusal(viewer, market) !== null))
    throw invalid({ markets: m.marketNotLicensed })
  const count = await countRows(selectRows(tx, customerId, 'instance'))
  if (count >= limits.instances) throw new Refusal(409, m.tooManyInstances(limits.instances))
  const onEdge = await countRows(selectRows(tx, customerId, 'instance', { edge_id: params.id }))
  if (onEdge >= limits.instancesPerEdge) throw new Refusal(409, m.tooManyInstances(limits.instancesPerEdge))
  const company = await companyKey(tx, customerId)
  const key = await newInstanceKey(tx, customerId, body.name)
  const row = instanceRow(
    company,
    {
      ...body,
      key,
      description: body.description ?? '',
      markets: [...new Set(body.markets)],
      bidActive: true,
      enabled: true,
      properties: {},
    },
    { licence_id: await licenceOf(tx, customerId, body.markets), edge_id: params.id, position: count },
  )
  await insertRow(tx, customerId, 'instance', {
    ...row,
    properties: JSON.stringify(row.properties),
    registered_by: viewer.userId,
  }).execute()
  for (const signal of signalRows(company, key)) await insertRow(tx, customerId, 'signal', signal).execute()
  edgesChanged(tx, customerId)
  await audit(tx, 'instance.add', body.name, { after: { ...body, instance: row.instance_id, key, edge: edge.name } })
  return { _id: row.instance_id, key }
})

type Equipped = { instance_id: string; markets: string[]; has_contract: boolean; has_signal: boolean }

const findEquipped = (tx: Tx, customerId: string, edgeId: string, day: LocalDate) =>
  sqlRows<Equipped>(tx)`
    select i.instance_id, i.markets,
      exists (select from instance_contract c where c.customer_id = i.customer_id and c.instance_id = i.instance_id
        and c.valid_from <= ${day}::date and (c.valid_to is null or c.valid_to > ${day}::date)) as has_contract,
      exists (select from frequency_signal f where f.customer_id = i.customer_id and f.area = i.area) as has_signal
    from instance i where i.customer_id = ${customerId} and i.edge_id = ${edgeId} and i.enabled
    limit ${limits.instancesPerEdge}`

const lacksOf = ({ markets, has_contract, has_signal }: Equipped, isMeasured: boolean): contract.InstanceLack[] => {
  const needsFrequency = hasEvents(markets, 'fcr_based')
  return [
    ...(has_contract ? [] : ['contract' as const]),
    ...(needsFrequency && !isMeasured ? ['frequency' as const] : []),
    ...(needsFrequency && !has_signal ? ['frequencySignal' as const] : []),
  ]
}

const connection = route(contract.edgeConnection, async ({ app, own, nowMs, params }) => {
  const sinceMs = nowMs - hourMs
  const { key, instances, signals, refusals } = await own(async (tx, customerId) => {
    const edge = await getRow(tx, customerId, 'edge', { edge_id: params.id }, ['key'])
    const found = await findEquipped(tx, customerId, params.id, today(nowMs))
    const ids = found.map(({ instance_id }) => instance_id)
    return {
      ...edge,
      instances: found,
      signals: await selectRows(tx, customerId, 'signal', { instance_id: ids })
        .select(['instance_id', 'kind', 'no'])
        .execute(),
      refusals: await selectRows(tx, customerId, 'edge_refusal', { edge_id: params.id })
        .selectAll()
        .where('last_at', '>=', new Date(sinceMs))
        .execute(),
    }
  })
  const latest = await app.readings.latest(signals.map(({ no }) => no))
  const quarantined = await app.readings.quarantined(key, sinceMs)
  const samples = instances.map((instance) => {
    const { instance_id: instanceId } = instance
    const measured = signals.filter(({ instance_id, no }) => instance_id === instanceId && latest.has(no))
    const times = measured.flatMap(({ no }) => latest.get(no)?.tMs ?? [])
    return {
      instanceId,
      lastSampleAt: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
      lacks: lacksOf(
        instance,
        measured.some(({ kind }) => kind === 'frequency'),
      ),
    }
  })
  const problems = [
    ...refusals.map(({ reason, topic, refused_count, last_at }) => ({
      from: 'connection' as const,
      reason,
      topic,
      count: refused_count,
      lastAt: last_at.toISOString(),
    })),
    ...quarantined.map(({ reason, topic, count, lastMs }) => ({
      from: 'message' as const,
      reason,
      topic,
      count,
      lastAt: new Date(lastMs).toISOString(),
    })),
  ]
  return { samples, problems: problems.toSorted((a, b) => b.lastAt.localeCompare(a.lastAt)) }
})

export const edges = [find, add, renew, setEnabled, addInstance, connection]
