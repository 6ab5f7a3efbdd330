import { setTimeout } from 'node:timers/promises'
import {
  addMeterGroup,
  findMeterGroups,
  saveMeter,
  saveMeterGroup,
  type MeterGroup,
} from '@gridmast/contract/meters/data-hub.ts'
import { verify } from '@gridmast/contract/people/auth.ts'
import { demoCvrs, simulatedMeters } from '../market-data/meters.ts'
import type { Portal } from './portal.ts'

export type Keys = readonly (readonly [cvr: string, name: string])[]

export const nordhavnKeys: Keys = [
  [demoCvrs.nordhavn, 'Nordhavn Frost'],
  [demoCvrs.nordhavnLogistics, 'Nordhavn Logistik'],
]
export const vestkystKeys: Keys = [[demoCvrs.vestkyst, 'Vestkyst Logistik']]

const unconfigured = 'Portvagt'
/** Energinet's tariffs, the non-refundable duty, and an average tariff of a grid company, DKK/MWh. */
const taxValue = 260
const tries = 10
const retryMs = 15_000

type Ask = Portal['ask']

const configure = async (ask: Ask, { _id, meterIdData }: MeterGroup, signals: { _id: string; area: string }[]) => {
  let configured = 0
  for (const meter of meterIdData) {
    const name = simulatedMeters.find(({ id }) => id === meter.meteringPointId)?.name
    const signal = signals.find(({ area }) => area === meter.area)
    if (!name || !signal || name === unconfigured) continue
    await ask(saveMeter, {
      params: { groupId: _id, meterId: meter.id },
      body: { dataHub: { name, priceSignal: signal._id, taxValue, enabled: true } },
    })
    configured++
  }
  return configured
}

const addKey = async (ask: Ask, key: string): Promise<MeterGroup> => {
  for (let left = tries; ; left--)
    try {
      return (await ask(addMeterGroup, { body: { dataHub: { key } } })).group
    } catch (error) {
      if (left <= 1) throw error
      await setTimeout(retryMs)
    }
}

export const writeMeters = async (ask: Ask, keys: Keys): Promise<number> => {
  if ((await ask(findMeterGroups, {})).groups.length > 0) return 0
  const { user } = await ask(verify, {})
  let configured = 0
  for (const [key, name] of keys) {
    const group = await addKey(ask, key)
    await ask(saveMeterGroup, { params: { groupId: group._id }, body: { dataHub: { name } } })
    configured += await configure(ask, group, user.customerId.powerCost)
  }
  return configured
}
