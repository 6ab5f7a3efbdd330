import { z } from 'zod'

const head = z.looseObject({ apiVersion: z.string(), kind: z.string() })
const withoutSchema = new Set(['PodMonitor']) // of an operator, not of Kubernetes

/**
 * An object that notes which of its fields were read. The schemas accept additional fields, and Kubernetes ignores a misspelt one, so a field
 * that the validation does not read is a mistake.
 */
const noting = (value: unknown, path: string, unread: Set<string>): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const copy: object = Array.isArray(value) ? [] : {}
  const fields = new Map(
    Object.entries(value).map(([name, field]) => {
      if (!Array.isArray(value)) unread.add(`${path}/${name}`)
      return [name, noting(field, `${path}/${name}`, unread)]
    }),
  )
  for (const [name, field] of fields)
    Object.defineProperty(copy, name, {
      enumerable: true,
      get: () => {
        unread.delete(`${path}/${name}`)
        return field
      },
    })
  return copy
}

/** What is wrong with an object: words of its schema, and fields that the schema does not have. */
export const unknownFields = async (object: unknown): Promise<string[]> => {
  const { apiVersion, kind } = head.parse(object)
  if (withoutSchema.has(kind)) return []
  const path = `kubernetes-models/${apiVersion}/${kind}`
  const found = (await import(path)) as Record<string, new (data: object) => { validate: () => void }>
  const Model = found[kind]
  if (!Model) return [`${apiVersion} ${kind} is no object of Kubernetes`]
  const unread = new Set<string>()
  const noted = noting(object, '', unread) as object
  try {
    const model = Object.create(Model.prototype) as { validate: () => void }
    Object.defineProperties(model, Object.getOwnPropertyDescriptors(noted))
    model.validate()
  } catch (error) {
    return [`${kind}: ${error instanceof Error ? error.message : String(error)}`]
  }
  return [...unread].map((field) => `${kind}: ${field}`)
}
