import { limits } from '@gridmast/contract/limits.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { firstFrom, type Samples } from '#delivery/scoring/samples.ts'
import type { Tx } from '#platform/records/records.ts'
import type { RowOf } from '#platform/records/rows.ts'
import { sqlRows } from '#platform/records/rows.ts'

const settledMs = 15_000
const longestMs = limits.commandHoldS * 1000 + settledMs

type Command = Pick<RowOf<'equipment_command'>, 'set_point' | 'issued_at' | 'held_until'>

const heldSpans = (commands: readonly Command[]): Span[] => {
  const spans: Span[] = []
  commands.forEach(({ set_point, issued_at, held_until }, i) => {
    if (set_point === 0) return
    const fromMs = issued_at.getTime()
    const endMs = Math.min(held_until.getTime(), commands[i + 1]?.issued_at.getTime() ?? Infinity) + settledMs
    const last = spans.at(-1)
    if (last && last.toMs >= fromMs) last.toMs = Math.max(last.toMs, endMs)
    else spans.push({ fromMs, toMs: endMs })
  })
  return spans
}

export const withoutTests = (samples: Samples, spans: readonly Span[]): Samples => {
  const last = (samples.x[samples.x.length - 1] ?? -Infinity) + 1
  const touching = spans.filter(({ fromMs, toMs }) => toMs > (samples.x[0] ?? Infinity) && fromMs < last)
  if (touching.length === 0) return samples
  const y = Array.from(samples.y)
  for (const { fromMs, toMs } of touching)
    for (let i = firstFrom(samples, fromMs); i < y.length && (samples.x[i] ?? Infinity) < toMs; i++)
      if (y[i] !== null) y[i] = 0
  return { x: samples.x, y }
}

export const findTests = async (tx: Tx, spans: readonly ({ customerId: string; instanceId: string } & Span)[]) => {
  const keys = spans.map(({ customerId, instanceId, fromMs, toMs }, n) => ({
    n,
    customer: customerId,
    instance: instanceId,
    after: new Date(fromMs - longestMs),
    before: new Date(toMs),
  }))
  const rows = await sqlRows<Command & { n: number }>(tx)`
    select s.n, c.set_point, c.issued_at, c.held_until
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
      as s(n int, customer uuid, instance uuid, after timestamptz, before timestamptz)
    join instance i on i.customer_id = s.customer and i.instance_id = s.instance
    join equipment_command c on c.customer_id = i.customer_id and c.edge_id = i.edge_id
      and (c.instance_id is null or c.instance_id = i.instance_id)
      and c.sent_at is not null and c.issued_at >= s.after and c.issued_at < s.before
    order by s.n, c.issued_at, c.command_id`
  const commands = Map.groupBy(rows, ({ n }) => n)
  return spans.map((_, n) => heldSpans(commands.get(n) ?? []))
}
