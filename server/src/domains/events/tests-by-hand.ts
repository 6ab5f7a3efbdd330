import { limits } from '@gridmast/contract/limits.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { firstFrom, type Samples } from '#delivery/samples.ts'
import type { Tx } from '#platform/records.ts'

/** Equipment and telemetry follow a command this much later at most. */
const settledMs = 15_000
const longestMs = limits.commandHoldS * 1000 + settledMs

type Command = { setPoint: number; issuedMs: number; heldUntilMs: number }

/** The times in which a set point given by hand was held: from a command above 0 until one of 0 or the end of its hold. Commands in order of time. */
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

/** A set point by hand asks for nothing on a market: within those times it is 0. */
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

/** Commands to an instance that may have been held within a span; a release of the whole edge counts for each of its instances. */
export const findTests = async (
  tx: Tx,
  customerId: string,
  instanceId: string,
  { fromMs, toMs }: Span,
): Promise<Span[]> => {
  const { rows } = await sql<{ set_point: number; issued_at: Date; held_until: Date }>`
    select c.set_point, c.issued_at, c.held_until from equipment_command c
    join instance i on i.customer_id = c.customer_id and i.edge_id = c.edge_id
    where c.customer_id = ${customerId} and i.instance_id = ${instanceId} and (c.instance_id is null or c.instance_id = i.instance_id)
      and c.sent_at is not null and c.issued_at >= ${new Date(fromMs - longestMs)} and c.issued_at < ${new Date(toMs)}
    order by c.issued_at, c.command_id`.execute(tx)
  return heldSpans(
    rows.map((row) => ({
      setPoint: row.set_point,
      issuedMs: row.issued_at.getTime(),
      heldUntilMs: row.held_until.getTime(),
    })),
  )
}
