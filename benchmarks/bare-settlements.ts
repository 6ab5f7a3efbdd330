import { sql } from 'kysely'
import type { TestApp } from '../server/src/testing/app.ts'

/** The minimal queries of a page of settlements: its rows and the totals of all matches; with `enablers` theirs too. */
export const readBareSettlements = (app: TestApp, [from, to]: readonly [string, string], enablers = false) =>
  app.records.system(async (tx) => {
    const { customer_id } = await tx
      .selectFrom('customer')
      .select('customer_id')
      .where('key', '=', 'north')
      .executeTakeFirstOrThrow()
    const span = sql`s.customer_id = ${customer_id} and s.day between ${from} and ${to}`
    await sql`select s.*, i.name from settlement s join instance i using (customer_id, instance_id) where ${span} order by s.day desc, i.name limit 15`.execute(
      tx,
    )
    await sql`select count(*), sum(customer_eur), sum(partner_eur), sum(sc_eur), sum(energy_eur) from settlement s where ${span}`.execute(
      tx,
    )
    if (enablers)
      await sql`select key, sum(value::numeric) from settlement s, jsonb_each_text(s.enablers) where ${span} group by key`.execute(
        tx,
      )
  })
