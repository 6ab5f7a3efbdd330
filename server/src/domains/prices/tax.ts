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
      return { id, name: signal.name, before: normalDecimal(signal.tax_dkk_per_mwh), after: String(tax) }
    })
    for (const { id, after } of changes) await saveTax(tx, customerId, id, after)
    await audit(tx, 'prices.tax', changes.map(({ name }) => name).join(', '), {
      before: Object.fromEntries(changes.map(({ id, before }) => [id, before])),
      after: Object.fromEntries(changes.map(({ id, after }) => [id, after])),
    })
  })
  return undefined
})
