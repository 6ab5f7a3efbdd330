import type { Tx } from '#platform/records.ts'

/** Names of sources as people know them. */
const titles: Record<string, string> = { 'energi-data-service': 'Energi Data Service', statnett: 'Statnett' }

export type PublishedSource = { name: string; dataset: string; simulated: boolean }

/** Where published data comes from, and whether that source is the demo's simulator. */
export const getSource = async (tx: Tx, source: string, dataset: string): Promise<PublishedSource> => {
  const state = await tx
    .selectFrom('connector_state')
    .select('simulated')
    .where('source', '=', source)
    .where('dataset', '=', dataset)
    .executeTakeFirst()
  return { name: titles[source] ?? source, dataset, simulated: state?.simulated ?? false }
}

/** The newest instant that a source answered at; null when it never did. */
export const findLastSuccess = async (tx: Tx, source: string, dataset: string): Promise<string | null> => {
  const state = await tx
    .selectFrom('connector_state')
    .select('last_success_at')
    .where('source', '=', source)
    .where('dataset', '=', dataset)
    .executeTakeFirst()
  return state?.last_success_at?.toISOString() ?? null
}
