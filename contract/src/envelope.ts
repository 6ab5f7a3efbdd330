import { z } from 'zod'

/** With this header, a call with a file as its answer returns a one-time cookie instead, so that a plain link of the browser can download it. */
export const ticketHeader = 'x-file-ticket'

/** Every JSON answer (API conventions of the specification); `errors` maps a field path to its message. */
export const success = <S extends z.ZodType>(data: S) =>
  z.object({ success: z.literal(true), message: z.string().optional(), data })

export const failure = z.object({
  success: z.literal(false),
  message: z.string(),
  errors: z.record(z.string(), z.string()).optional(),
  figures: z
    .record(z.string(), z.object({ key: z.string(), values: z.record(z.string(), z.union([z.number(), z.string()])) }))
    .optional(),
})
export type Failure = z.infer<typeof failure>
export type FieldErrors = Record<string, string>
