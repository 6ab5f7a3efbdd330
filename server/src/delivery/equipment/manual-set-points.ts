import { limits } from '@gridmast/contract/limits.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { firstFrom, type Samples } from '#delivery/scoring/samples.ts'
import type { Tx } from '#platform/records/records.ts'

const settledMs = 15_000
const longestMs = limits.commandHoldS * 1000 + settledMs

type Command = { setPoint: number; issuedMs: number; heldUntilMs: number }

const heldSpans = (commands: readonly Command[]): Span[] => {
  const spans: Span[] = []
  commands.forEach(({ setPoint, issuedMs, heldUntilMs }, i) => {
    if (setPoint === 0) return
    const endMs = Math.min(heldUntilMs, commands[i + 1]?.issuedMs ?? Infinity) + settledMs
    const last = spans.at(-1)
    if (last && last.toMs >= issuedMs) last.toMs = Math.max(last.toMs, endMs)
    else spans.push({ fromMs: issuedMs, toMs: endMs })
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

export const findTests = async (
  tx: Tx,
  asked: readonly ({ customerId: string; instanceId: string } & Span)[],
): Promise<Span[][]> => {
  const given = asked.map(({ customerId, instanceId, fromMs, toMs }, n) => ({
    n,
    customer: customerId,
    instance: instanceId,
    after: new Date(fromMs - longestMs),
    before: new Date(toMs),
  }))
  const { rows } = await sql<{ n: number; set_point: number; issued_at: Date; held_until: Date }>`
    select asked.n, c.set_point, c.issued_at, c.held_until
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as asked(n int, customer uuid, instance uuid, after timestamptz, before timestamptz)
    join instance i on i.customer_id = asked.customer and i.instance_id = asked.instance
    join equipment_command c on c.customer_id = i.customer_id and c.edge_id = i.edge_id
      and (c.instance_id is null or c.instance_id = i.instance_id)
      and c.sent_at is not null and c.issued_at >= asked.after and c.issued_at < asked.before
    order by asked.n, c.issued_at, c.command_id`.execute(tx)
  const commands = Map.groupBy(rows, ({ n }) => n)
  return asked.map((_, n) =>
    heldSpans(
      (commands.get(n) ?? []).map((row) => ({
        setPoint: row.set_point,
        issuedMs: row.issued_at.getTime(),
        heldUntilMs: row.held_until.getTime(),
      })),
    ),
  )
}
