import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { webhookData } from '@gridmast/contract/notifications/webhook-data.ts'
import { webhookEvents } from '@gridmast/contract/people/webhooks.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { examples } from './examples.ts'

const text = readFileSync(join(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8')

type Field = {
  type?: string | string[]
  format?: string
  enum?: string[]
  anyOf?: Field[]
  items?: Field
  description?: string
}
const typeOf = ({ type, format, enum: values, anyOf, items }: Field): string => {
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (values) return values.map((value) => `\`${value}\``).join(', ')
  if (type === 'array' && items) return `list of ${typeOf(items)}`
  const formats: Record<string, string> = { 'date-time': 'instant', uuid: 'id', date: 'day' }
  return formats[format ?? ''] ?? [type].flat().join(' or ')
}

test.each(Object.entries(webhookData))('docs/webhooks.md lists the fields of %s as they are sent', (event, schema) => {
  const { properties } = z.toJSONSchema(schema) as { properties: Record<string, Field> } // of an object
  const lines = Object.entries(properties).map(
    ([name, field]) => `| \`${name}\` | ${typeOf(field)} | ${field.description} |`,
  )
  const table = ['| Field | Is | Says |', '|---|---|---|', ...lines].join('\n')
  expect(text).toContain(`### \`${event}\`\n${table}\n`)
})

test.each(webhookEvents)('a test delivery of %s has the fields of a real one', (event) => {
  expect(webhookData[event].parse(examples[event])).toEqual(examples[event])
})
