import {
  findTariffs as findTariffsCall,
  saveMeter as saveMeterCall,
  saveMeterStatus,
} from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { normalDecimal } from '@gridmast/contract/numbers.ts'
import { addDays, today } from '@gridmast/contract/time.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { type App, route } from '#context.ts'
import { planMonths } from './due.ts'
import { findTariffs, tariffExists } from '#grid/published/pricing.ts'
import { checkPriceSignal, getMeter, isConfigured, lockMeter, saveMeter, toMeter, type MeterRow } from './queries.ts'

const auditOf = (row: MeterRow) => ({
  name: row.name,
  priceSignal: row.price_signal_id,
  taxValue: row.tax_dkk_per_mwh === null ? null : Number(row.tax_dkk_per_mwh),
  tariff: row.tariff_gln === null ? null : `${row.tariff_gln}:${row.tariff_code}`,
  address: row.address,
  enabled: row.enabled,
})

const planPast = async (app: App, tx: Tx, customerId: string, meterId: string, nowMs: number) => {
  const to = today(nowMs)
  const from = addDays(to, -app.config.ELOVERBLIK_HISTORY_DAYS)
  await planMonths(tx, [{ customer_id: customerId, meter_id: meterId }], { from, to })
}

const tariffOf = (text: string) => {
  const [gln = '', code = ''] = text.split(':')
  return { gln, code }
}

const save = route(saveMeterCall, async ({ app, own, audit, nowMs, params, body }) => {
  const { name, priceSignal, taxValue, tariff, address, enabled } = body.dataHub
  const meter = await own(async (tx, customerId) => {
    const before = await lockMeter(tx, customerId, params)
    await checkPriceSignal(tx, customerId, priceSignal)
    const chosen = tariff ? tariffOf(tariff) : null
    if (chosen && !(await tariffExists(tx, chosen))) throw invalid({ 'dataHub.tariff': m.notValid })
    await saveMeter(tx, customerId, params.meterId, {
      name,
      price_signal_id: priceSignal,
      tax_dkk_per_mwh: normalDecimal(String(taxValue)),
      ...(tariff === undefined ? {} : { tariff_gln: chosen?.gln ?? null, tariff_code: chosen?.code ?? null }),
      ...(address === undefined ? {} : { address: address.trim() }),
      ...(enabled === undefined ? {} : { enabled }),
    })
    const after = await getMeter(tx, customerId, params.meterId)
    if (after.enabled) await planPast(app, tx, customerId, params.meterId, nowMs)
    await audit(tx, 'data-hub.save-meter', after.metering_point_id, { before: auditOf(before), after: auditOf(after) })
    return toMeter(after)
  })
  await app.jobs.kick('meter-readings')
  return { meter }
})

const toggle = route(saveMeterStatus, async ({ app, own, audit, nowMs, params, body }) => {
  const { enabled, priceSignal } = body.dataHub
  const meter = await own(async (tx, customerId) => {
    const before = await lockMeter(tx, customerId, params)
    if (priceSignal) await checkPriceSignal(tx, customerId, priceSignal)
    if (!isConfigured(before)) throw new Refusal(409, m.configurationRequired)
    if (before.enabled !== enabled) {
      await saveMeter(tx, customerId, params.meterId, { enabled })
      if (enabled) await planPast(app, tx, customerId, params.meterId, nowMs)
      await audit(tx, 'data-hub.save-meter', before.metering_point_id, {
        before: { enabled: before.enabled },
        after: { enabled },
      })
    }
    return toMeter(await getMeter(tx, customerId, params.meterId))
  })
  await app.jobs.kick('meter-readings')
  return { meter }
})

const tariffs = route(findTariffsCall, async ({ own, nowMs }) => {
  const rows = await own((tx) => findTariffs(tx, today(nowMs)))
  return {
    tariffs: rows.map(({ gln, owner, code, name, valid_from }) => ({
      _id: `${gln}:${code}`,
      owner,
      code,
      name,
      validFrom: valid_from,
    })),
  }
})

export const settings = [save, toggle, tariffs]
