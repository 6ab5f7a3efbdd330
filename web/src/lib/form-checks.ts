import './zod.ts'
import { z } from 'zod'
import { fieldErrors } from '@gridmast/contract/zod-words.ts'
import { translateText } from './i18n.ts'

/** Errors of a body by field, in the user's language. */
export const errorsOf = (schema: z.ZodType, body: unknown) => {
  const { error } = schema.safeParse(body)
  return Object.fromEntries(
    Object.entries(error ? fieldErrors(error) : {}).map(([path, message]) => [path, translateText(message)]),
  )
}

const fieldSchema = (schema: z.core.$ZodType | undefined, key: string): z.core.$ZodType | undefined => {
  if (schema instanceof z.ZodObject) return schema.shape[key]
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodRecord) return schema.valueType
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldSchema(schema.unwrap(), key)
  return undefined
}

const emptyValues = [undefined, null, '', []]

/** Whether the body's schema refuses an empty field at this path. */
export const isRequired = (body: z.ZodObject, path: string): boolean => {
  const schema = path.split('.').reduce(fieldSchema, body)
  return schema !== undefined && emptyValues.every((empty) => !z.safeParse(schema, empty).success)
}
