import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { byName } from './list-query.ts'

const app = await openTestApp()
afterAll(() => app.close())

test('names are in Danish order: capitals next to small letters, then æ, ø and å', async () => {
  const names = ['andel', 'Bolig', 'vej 2', 'Zebra', 'ægir', 'Ærø', 'Ølgod', 'ørn', 'Ålborg', 'åst']
  const { rows } = await app.records.system((tx) =>
    sql<{
      name: string
    }>`select name from unnest(${names.toSorted()}::text[]) name order by ${byName(sql`name`)}`.execute(tx),
  )
  expect(rows.map(({ name }) => name)).toEqual(names)
})
