import { z as real } from 'zod'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from './deferred-zod.ts'

const files = import.meta.glob(['/../contract/src/**/*.ts', '!**/*.test.ts', '!**/testing/**', '!**/openapi.ts'])
const sources = import.meta.glob<string>('/../contract/src/**/*.ts', { query: '?raw', import: 'default', eager: true })

let used: object
const shape = { sort: z.enum(['at', 'name']).optional(), limit: z.number().int().max(5).default(3) }
const schema = z
  .strictObject({ ...shape, ids: z.array(z.uuid()).min(1), at: z.iso.date(), kind: z.literal('a') })
  .refine(({ limit, ids }) => ids.length <= limit, 'Too many')

describe('schemas that are recorded before zod has loaded', () => {
  test('cannot be used before', () => {
    const early = 'A schema is used before zod has loaded'
    expect(() => Object.keys(schema)).toThrow(early)
    expect(() => schema.parse({})).toThrow(early)
    expect(() => schema.safeParse({})).toThrow(early)
  })

  test('no file of the contract reads one while it loads', async () => {
    vi.doMock('zod', () => import('./deferred-zod.ts'))
    const paths = Object.keys(files)
    expect(paths.length).toBeGreaterThan(50)
    await Promise.all(Object.values(files).map((load) => load()))
    vi.doUnmock('zod')
  })

  describe('are those of zod afterwards', () => {
    beforeAll(async () => {
      used = (await import('./zod.ts')).usedZod
    })
    const id = '01930000-0000-7000-8000-0000000000c0'

    test('they parse and refuse', () => {
      expect(schema.parse({ ids: [id], at: '2026-11-20', kind: 'a' })).toEqual({
        ids: [id],
        at: '2026-11-20',
        kind: 'a',
        limit: 3,
      })
      const refused = schema.safeParse({ ids: [id, id], at: 'today', kind: 'a', limit: 1, more: 1 })
      expect(refused.error?.issues.map(({ code }) => code)).toEqual(['invalid_format', 'unrecognized_keys', 'custom'])
      expect(schema.safeParse({ ids: [id, id], at: '2026-11-20', kind: 'a', limit: 1 }).error?.issues[0]?.message).toBe(
        'Too many',
      )
    })

    test('their kinds and fields are known', () => {
      expect(schema).toBeInstanceOf(real.ZodObject)
      const { sort } = schema.shape
      expect(sort).toBeInstanceOf(real.ZodOptional)
      expect(sort.unwrap().options).toEqual(['at', 'name'])
    })

    test('each part of zod that the contract uses is brought to the browser', () => {
      const texts = Object.entries(sources).flatMap(([path, text]) => (/test|openapi/.test(path) ? [] : [text]))
      expect(texts.length).toBeGreaterThan(50)
      const names = texts.flatMap((text) => [...text.matchAll(/\bz\s*\.([a-z]\w*)/g)].map(([, name]) => name))
      const typesOnly = ['infer', 'input', 'output']
      expect(new Set(names.filter((name) => !typesOnly.includes(name ?? '')))).toEqual(new Set(Object.keys(used)))
    })
  })
})
