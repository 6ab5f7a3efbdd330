import type { TestApp } from '../server/src/testing/app.ts'

/** The frequency signal of the customer `north`: its public id and series number. */
export const frequencySignalOf = (app: TestApp) =>
  app.records.system((tx) =>
    tx
      .selectFrom('frequency_signal as f')
      .innerJoin('signal as s', 's.signal_id', 'f.signal_id')
      .innerJoin('customer as c', 'c.customer_id', 'f.customer_id')
      .select(['f.frequency_id', 's.no'])
      .where('c.key', '=', 'north')
      .executeTakeFirstOrThrow(),
  )
