import { expect, test } from 'vitest'
import { expiredBackups, nameOf, type StoredBackup } from './catalogue.ts'

test('kept are the newest of each of the last days, weeks and months, in Danish time', () => {
  const backups: StoredBackup[] = []
  for (let day = 0; day < 500; day++) {
    const madeAtMs = Date.parse('2026-11-27T01:15:00Z') - day * 86_400_000
    backups.push({ name: nameOf(madeAtMs), bytes: 1, madeAtMs, isVerified: true })
  }
  const expired = new Set(expiredBackups(backups, { days: 3, weeks: 2, months: 3 }))
  const kept = backups.filter((backup) => !expired.has(backup)).map((backup) => backup.name.slice(9, 17))
  expect(kept).toEqual(['20261127', '20261126', '20261125', '20261122', '20261031', '20260930'])
  expect(expiredBackups(backups.slice(0, 1), { days: 1, weeks: 0, months: 0 })).toEqual([])
  const unverified = backups.map((backup) => ({ ...backup, isVerified: false }))
  expect(expiredBackups(unverified, { days: 1, weeks: 0, months: 0 })).toEqual([])
})
