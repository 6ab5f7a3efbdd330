import { normalDecimal } from '@gridmast/contract/numbers.ts'
import { updateTax } from '@gridmast/contract/prices.ts'
import { notFound } from '#platform/errors.ts'
import { route } from '#context.ts'
import { lockPriceSignals, saveTax } from './queries.ts'

/** All or nothing: one unknown signal and no tax is changed. */
export const taxes = route(updateTax, async ({ own, audit, body }) => {
  await own(async (tx, customerId) => {
    const signals = await lockPriceSignals(tx, customerId)
    const changes = Object.entries(body.taxes).map(([id, tax]) => {
      const signal = signals.find((one) => one.price_signal_id === id)
      if (!signal) throw notFound()
      return { id, name: signal.name, before: normalDecimal(signal.tax_dkk_per_mwh), after: normalDecimal(String(tax)) }
    })
    const changed = changes.filter(({ before, after }) => before !== after)
    if (changed.length === 0) return
    for (const { id, after } of changed) await saveTax(tx, customerId, id, after)
    await audit(tx, 'prices.tax', changed.map(({ name }) => name).join(', '), {
      before: Object.fromEntries(changed.map(({ name, before }) => [`${name} (DKK/MWh)`, Number(before)])),
      after: Object.fromEntries(changed.map(({ name, after }) => [`${name} (DKK/MWh)`, Number(after)])),
    })
  })
})
