// Error of the forecast of available power on 8 weeks of the simulated world: the figures of server/src/delivery/scoring/expected.md. Run with
// `node benchmarks/expected.ts`.
import { hourMs } from '@gridmast/contract/time.ts'
import { openExpected, profileSpan, usualOf } from '../server/src/delivery/scoring/expected.ts'
import { capacityKw, loadOf } from '../simulators/loads.ts'

const groups = [
  ['koel-1', 'cold-store', 420],
  ['ladepark', 'ev', 160],
  ['varmepumpe', 'logistics', 180],
] as const
const leads = [1, 3, 6, 12, 24]
const fromMs = Date.parse('2026-09-14T00:00:00Z')
const [warmUp, hours] = [24 * 20, 24 * 56]

for (const [key, kind, flexibleKw] of groups) {
  const load = loadOf(key, kind, flexibleKw)
  const kwOf = (startMs: number) => {
    const kw = Array.from({ length: 12 }, (_, i) => capacityKw(load, startMs / 1000 + i * 300).up)
    return kw.reduce((a, b) => a + b, 0) / kw.length
  }
  const all = new Map(Array.from({ length: hours + 25 }, (_, i) => [fromMs + i * hourMs, kwOf(fromMs + i * hourMs)]))
  const errors = new Map(leads.map((lead) => [lead, [] as number[]]))
  for (let i = warmUp; i < hours; i += 1) {
    const nowMs = fromMs + i * hourMs
    const profile = profileSpan(nowMs)
    const hourly = new Map([...all].filter(([ms]) => ms >= profile.fromMs && ms < profile.toMs))
    const expectedAt = openExpected({
      usual: usualOf(hourly, nowMs),
      lastHourKw: all.get(nowMs - hourMs) ?? null,
      nowMs,
    })
    for (const lead of leads) {
      const startMs = nowMs + (lead - 1) * hourMs
      const found = expectedAt(startMs)
      if (found) errors.get(lead)?.push(Math.abs(found.kw - (all.get(startMs) ?? 0)))
    }
  }
  const shares = [...errors].map(([lead, own]) => {
    const mean = own.reduce((a, b) => a + b, 0) / own.length
    return `${lead} h ${((100 * mean) / flexibleKw).toFixed(1)} %`
  })
  console.log(JSON.stringify({ [`${key} ${flexibleKw} kW`]: shares.join(', ') }))
}
