import { z } from 'zod'
import { provideZod } from './deferred-zod.ts'

/** What the contract's schemas are built with, one by one: all of zod would be 75 kB more. */
export const usedZod = {
  array: z.array,
  boolean: z.boolean,
  config: z.config,
  discriminatedUnion: z.discriminatedUnion,
  email: z.email,
  enum: z.enum,
  int: z.int,
  iso: { date: z.iso.date, datetime: z.iso.datetime },
  literal: z.literal,
  number: z.number,
  object: z.object,
  partialRecord: z.partialRecord,
  preprocess: z.preprocess,
  record: z.record,
  regexes: { email: z.regexes.email },
  strictObject: z.strictObject,
  string: z.string,
  tuple: z.tuple,
  union: z.union,
  unknown: z.unknown,
  url: z.url,
  uuid: z.uuid,
}

provideZod(usedZod)
