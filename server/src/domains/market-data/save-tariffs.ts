import { sql } from 'kysely'
import type { Tariff } from '#connectors/energi-data-service/tariffs.ts'
import type { Tx } from '#platform/records.ts'

const batch = 250

/** Stores tariffs; a validity that is unchanged is not written again. Answers how many are new or changed. */
export const saveTariffs = async (
  tx: Tx,
  tariffs: readonly Tariff[],
  source: string,
  nowMs: number,
): Promise<number> => {
  // The list may hold one validity twice; the later row of a body counts.
  const each = [...new Map(tariffs.map((one) => [keyOf(one), one])).values()]
  let changed = 0
  for (let i = 0; i < each.length; i += batch) {
    const rows = each.slice(i, i + batch)
    const column = <K extends keyof Tariff>(key: K) => rows.map((row) => row[key])
    const written = await sql`
      insert into tariff as t
        (owner_gln, owner_name, charge_type, code, name, valid_from, valid_to, resolution, prices, source, fetched_at)
      select owner_gln, owner_name, charge_type, code, name, valid_from, valid_to, resolution, prices::numeric(12, 6)[],
        ${source}, ${new Date(nowMs)}
      from unnest(
        ${column('ownerGln')}::text[], ${column('ownerName')}::text[], ${column('chargeType')}::text[], ${column('code')}::text[],
        ${column('name')}::text[], ${column('validFrom')}::date[], ${column('validTo')}::date[], ${column('resolution')}::text[],
        ${rows.map((row) => `{${row.prices.join(',')}}`)}::text[]
      ) as i(owner_gln, owner_name, charge_type, code, name, valid_from, valid_to, resolution, prices)
      on conflict (owner_gln, charge_type, code, valid_from) do update
      set owner_name = excluded.owner_name, name = excluded.name, valid_to = excluded.valid_to, resolution = excluded.resolution,
        prices = excluded.prices, source = excluded.source, fetched_at = excluded.fetched_at
      where (t.name, t.valid_to, t.resolution, t.prices)
        is distinct from (excluded.name, excluded.valid_to, excluded.resolution, excluded.prices)
      returning 1`.execute(tx)
    changed += written.rows.length
  }
  return changed
}

const keyOf = ({ ownerGln, chargeType, code, validFrom }: Tariff) => [ownerGln, chargeType, code, validFrom].join('\n')
