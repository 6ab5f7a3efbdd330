import { z } from 'zod'
import { m } from './messages.ts'

// The portal's own words where a schema names none. Both sides load this with the first call they declare.
z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type' && issue.input === undefined) return m.required
    if (issue.code === 'unrecognized_keys') return `Unknown field: ${issue.keys.join(', ')}`
    return undefined
  },
})

/** One message per field path ('user.email'; the body itself is ''): the first issue of a field wins. */
export const fieldErrors = (error: z.ZodError): Record<string, string> => {
  const errors: Record<string, string> = {}
  for (const issue of error.issues) {
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    for (const path of paths) errors[path.join('.')] ??= issue.message
  }
  return errors
}
