import { z } from 'zod'

/** With this header, a call that answers a file answers a one-time cookie for it instead; a plain link of the browser then downloads it. */
export const ticketHeader = 'x-file-ticket'

/** Every JSON answer: specification of the API conventions. `errors` maps a field path to its message. */
export const success = <S extends z.ZodType>(data: S) =>
  z.object({ success: z.literal(true), message: z.string().optional(), data })

export const failure = z.object({
  success: z.literal(false),
  message: z.string(),
  errors: z.record(z.string(), z.string()).optional(),
  /** Of each sentence above that holds figures: what it was made of. */
  figures: z
    .record(z.string(), z.object({ key: z.string(), values: z.record(z.string(), z.union([z.number(), z.string()])) }))
    .optional(),
})
export type Failure = z.infer<typeof failure>
export type FieldErrors = Record<string, string>
