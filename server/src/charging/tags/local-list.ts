import { budgetOf, findSpending, isSpent } from './budgets.ts'
import type { App } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, findRow, insertRow } from '#platform/records/rows.ts'
import type { Connection } from '#protocols/ocpp/connection.ts'
import { isYes, type ListEntry, type VariableName } from '#protocols/ocpp/orders.ts'
import { groupKeyOf } from './authorise.ts'
import type { Charger } from '#charging/ledger/directory.ts'

/** The offline tag list: changes where the charger has the last confirmed version, else the whole list; a removed tag clears its cache. */

type Entries = Record<string, string>
type StoredList = { version: number; entries: Entries }

const variablesOf: Record<Connection['version'], { isOn: VariableName; perMessage: VariableName; most: VariableName }> =
  {
    'ocpp1.6': {
      isOn: { component: '', variable: 'LocalAuthListEnabled' },
      perMessage: { component: '', variable: 'SendLocalListMaxLength' },
      most: { component: '', variable: 'LocalAuthListMaxLength' },
    },
    'ocpp2.0.1': {
      isOn: { component: 'LocalAuthListCtrlr', variable: 'Enabled' },
      perMessage: { component: 'LocalAuthListCtrlr', variable: 'ItemsPerMessage' },
      most: { component: 'LocalAuthListCtrlr', variable: 'Entries' },
    },
  }
const [defaultPerMessage, defaultEntries] = [20, 500]
/** Lengths of an idTag in OCPP 1.6 and an idToken in OCPP 2.0.1. */
const longestOf = { 'ocpp1.6': 20, 'ocpp2.0.1': 36 }

const readTags = async (tx: Tx, { customerId }: Charger, longest: number, most: number, now: Date) => {
  const rows = await tx
    .selectFrom('charger_tag as t')
    .leftJoin('charger_tag_group as g', onKey('g', 't', 'group_id'))
    .select(['t.tag', 't.tag_id', 't.group_id', 't.expires_at', 'g.no'])
    .select(['t.budget_dkk', 't.budget_kwh', 't.warn_percent'])
    .select(['g.budget_dkk as group_dkk', 'g.budget_kwh as group_kwh'])
    .where('t.customer_id', '=', customerId)
    .where('t.active', '=', true)
    .where((of) => of.or([of('g.active', 'is', null), of('g.active', '=', true)]))
    .where((of) => of.or([of('t.expires_at', 'is', null), of('t.expires_at', '>', now)]))
    .orderBy('t.created_at', 'desc')
    .orderBy('t.tag_id', 'desc')
    .execute()
  const spending = await findSpending(tx, customerId, now.getTime())
  const mayCharge = (row: (typeof rows)[number]) =>
    !isSpent(spending, {
      tagId: row.tag_id,
      groupId: row.group_id,
      own: budgetOf(row),
      group: budgetOf({ budget_dkk: row.group_dkk, budget_kwh: row.group_kwh, warn_percent: 0 }),
    })
  const fitting = rows.filter((row) => row.tag.length <= longest && mayCharge(row)).slice(0, most)
  return Object.fromEntries(
    fitting.map(({ tag, expires_at, no }) => [
      tag,
      JSON.stringify([no === null ? null : groupKeyOf(no), expires_at?.toISOString() ?? null]),
    ]),
  )
}

const entryOf = (tag: string, value: string | undefined): ListEntry => {
  if (value === undefined) return { tag, info: null }
  const [groupKey, expiresAt] = JSON.parse(value) as [string | null, string | null] // written above
  return { tag, info: { isAccepted: true, groupKey, expiresAt } }
}

export const changesOf = (before: Entries, after: Entries): ListEntry[] => {
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const tags = [...[...old.keys()].filter((tag) => !current.has(tag)), ...current.keys()]
  return tags.filter((tag) => current.get(tag) !== old.get(tag)).map((tag) => entryOf(tag, current.get(tag)))
}

const save = (tx: Tx, { customerId, chargerId }: Charger, list: StoredList & { refusal: string | null }) => {
  const columns = { ...list, entries: JSON.stringify(list.entries), sent_at: new Date() }
  return insertRow(tx, customerId, 'charger_local_list', { charger_id: chargerId, ...columns })
    .onConflict((conflict) => conflict.columns(['customer_id', 'charger_id']).doUpdateSet(columns))
    .execute()
}

/** Resolves with the charger's refusal, null when it has accepted all, undefined without an answer. */
const send = async (
  connection: Connection,
  list: StoredList,
  entries: Entries,
  isFull: boolean,
  perMessage: number,
): Promise<string | null | undefined> => {
  const changes = changesOf(isFull ? {} : list.entries, entries)
  const parts = Math.max(1, Math.ceil(changes.length / perMessage))
  for (let part = 0; part < parts; part++) {
    list.version++
    const some = changes.slice(part * perMessage, (part + 1) * perMessage)
    const order = { kind: 'list', version: list.version, isFull: isFull && part === 0, entries: some } as const
    const answer = await connection.call(order, { isQuiet: true })
    if (answer.kind === 'refused') return answer.code
    if (answer.kind !== 'answered') return undefined
    if (!isYes(answer.status)) return answer.status
  }
  return null
}

const number = (text: string | null | undefined, otherwise: number) => {
  const value = Number(text ?? Number.NaN)
  return Number.isInteger(value) && value > 0 ? value : otherwise
}

const syncList = async ({ records, clock }: App, charger: Charger, connection: Connection): Promise<void> => {
  const { isOn, perMessage, most } = variablesOf[connection.version]
  const settings = await connection.call({ kind: 'read', variables: [isOn, perMessage, most] }, { isQuiet: true })
  if (settings.kind !== 'answered') return
  const valueOf = ({ variable }: VariableName) => settings.variables.find((one) => one.variable === variable)?.value
  if (valueOf(isOn)?.toLowerCase() !== 'true') return
  const stored = await records.system((tx) =>
    findRow(tx, charger.customerId, 'charger_local_list', { charger_id: charger.chargerId }, ['version', 'entries']),
  )
  const entries = await records.system((tx) =>
    readTags(tx, charger, longestOf[connection.version], number(valueOf(most), defaultEntries), new Date(clock.now())),
  )
  const version = await connection.call({ kind: 'list-version' }, { isQuiet: true })
  if (version.kind !== 'answered' || version.listVersion === null || version.listVersion < 0) return
  const list: StoredList = { version: version.listVersion, entries: (stored?.entries ?? {}) as Entries } // written by `save`
  const isFull = !stored || stored.version !== version.listVersion
  const changes = changesOf(list.entries, entries)
  if (!isFull && changes.length === 0) return
  const pieces = number(valueOf(perMessage), defaultPerMessage)
  let refusal = await send(connection, list, entries, isFull, pieces)
  if (refusal && !isFull) refusal = await send(connection, list, entries, true, pieces)
  const isAccepted = refusal === null
  // No charger reports version -1, so the next list is a whole one.
  const saved = isAccepted ? { version: list.version, entries } : { version: -1, entries: {} }
  await records.system((tx) => save(tx, charger, { ...saved, refusal: refusal ?? null }))
  const hasRemovals = changes.some(({ info }) => info === null)
  if (isAccepted && hasRemovals) await connection.call({ kind: 'clear-cache' }, { isQuiet: true })
}

const settleMs = 500

export const keepLocalLists = (app: App, open: () => Iterable<{ charger: Charger; connection: Connection }>) => {
  const running = new Map<string, Promise<void>>()
  const due = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const sync = (charger: Charger, connection: Connection) => {
    const before = running.get(charger.chargerId) ?? Promise.resolve()
    const next = before
      .then(() => (isClosed ? undefined : syncList(app, charger, connection)))
      .catch((error: unknown) => app.log.warn({ err: error, charger: charger.identity }, 'ocpp: local list not sent'))
      .finally(() => running.get(charger.chargerId) === next && running.delete(charger.chargerId))
    running.set(charger.chargerId, next)
  }
  const stop = app.bus.listen('charger-tags', (customerId) => {
    if (typeof customerId !== 'string' || isClosed) return
    due.add(customerId)
    timer ??= setTimeout(() => {
      timer = undefined
      for (const { charger, connection } of open()) if (due.has(charger.customerId)) sync(charger, connection)
      due.clear()
    }, settleMs)
  })
  return {
    sync,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      stop()
      await Promise.all(running.values())
    },
  }
}
