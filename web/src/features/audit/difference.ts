export type Difference = { field: string; before: unknown; after: unknown }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `contactName` and `contact_name` -> `Contact name` */
export const fieldWords = (field: string): string => {
  const spaced = field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What an entry changed, field by field; fields that stayed are left out. A value that is no record is one field without a name. */
export const differencesOf = (before: unknown, after: unknown): Difference[] => {
  const values = [before, after].filter((value) => value !== null && value !== undefined)
  if (values.length === 0) return []
  if (!values.every(isRecord)) return same(before, after) ? [] : [{ field: '', before, after }]
  const [old, next] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].flatMap((field) =>
    same(old[field], next[field]) ? [] : [{ field, before: old[field], after: next[field] }],
  )
}
