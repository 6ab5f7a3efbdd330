import { findMeterGroups } from '@gridmast/contract/meters/data-hub.ts'
import { findScopeReports, makeScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import { addStatementReader, findStatementReaders } from '@gridmast/contract/settlement/statements.ts'
import { addDays, localDateOf } from '@gridmast/contract/time.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Portal } from './portal.ts'

type Ask = Portal['ask']

const days = 7
const pollMs = 10_000
const tries = 60

const readMeters = async (ask: Ask): Promise<{ meters: string[]; endDate: string } | null> => {
  const { groups } = await ask(findMeterGroups, {})
  const enabled = groups.flatMap(({ meterIdData }) => meterIdData).filter(({ dataHub }) => dataHub.enabled)
  const readUntil = enabled.flatMap(({ lastRead }) => lastRead ?? []).toSorted()
  const [oldest] = readUntil
  if (oldest === undefined || readUntil.length < enabled.length) return null
  return { meters: enabled.map(({ id }) => id), endDate: addDays(localDateOf(Date.parse(oldest)), -1) }
}

export const writeReport = async (ask: Ask): Promise<boolean> => {
  if ((await ask(findScopeReports, { query: {} })).totalCount > 0) return false
  for (let left = tries; left > 0; left--) {
    const read = await readMeters(ask)
    if (read) {
      await ask(makeScopeReport, { body: { ...read, startDate: addDays(read.endDate, 1 - days) } })
      return true
    }
    await wait(pollMs)
  }
  return false
}

export const writeReader = async (ask: Ask, email: string): Promise<void> => {
  const { readers } = await ask(findStatementReaders, {})
  if (readers.length === 0) await ask(addStatementReader, { body: { email, kind: 'settlement' } })
}
