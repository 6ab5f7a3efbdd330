import { fieldErrors } from '@gridmast/contract/zod-words.ts'
import type { z } from 'zod'

/** Validates a form with the schema that the server uses; one message for each field path. */
export const validateWith =
  (schema: z.ZodType, t: (message: string) => string) =>
  (values: unknown): Record<string, string> => {
    const parsed = schema.safeParse(values)
    if (parsed.success) return {}
    return Object.fromEntries(Object.entries(fieldErrors(parsed.error)).map(([path, message]) => [path, t(message)]))
  }
