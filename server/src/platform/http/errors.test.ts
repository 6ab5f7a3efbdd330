import { expect, test } from 'vitest'
import { isUnavailable } from './errors.ts'

const failure = (code: string) => Object.assign(new Error('failed'), { code })

test.each([
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTDOWN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  '57P01',
  '08006',
  '40001', // serialization failure
  '40P01', // deadlock
  '202', // ClickHouse: too many queries at once
  '242', // ClickHouse: a table is read-only while its Keeper is away
  '252', // ClickHouse: too many parts
])('%s: the store is unavailable, also as a cause or one of several errors', (code) => {
  expect(isUnavailable(failure(code))).toBe(true)
  expect(isUnavailable(new Error('not settled', { cause: failure(code) }))).toBe(true)
  expect(isUnavailable(new AggregateError([new Error('other'), failure(code)]))).toBe(true)
})

test.each([
  '22003', // out of range
  '23505', // duplicate key
  '57014', // cancelled: a statement over its time limit would delay all others forever
  '241', // ClickHouse: the memory limit of the query is exceeded
  '62', // ClickHouse: syntax
  '20200',
])('%s: the store has answered', (code) => {
  expect(isUnavailable(failure(code))).toBe(false)
})
