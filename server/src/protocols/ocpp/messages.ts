import { createRequire } from 'node:module'
import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv'
import { NotUnderstood, type Payload, type Version } from './frames.ts'

/**
 * Message formats by the schemas of the Open Charge Alliance from `ocpp-rpc`. Sent messages are strict. Received ones are repaired where
 * possible, and each repair is a deviation on the charger's page; only a message without its action is refused here.
 */

const require = createRequire(import.meta.url)
const files: Record<Version, string> = {
  'ocpp1.6': 'ocpp-rpc/lib/schemas/ocpp1_6.json',
  'ocpp2.0.1': 'ocpp-rpc/lib/schemas/ocpp2_0_1.json',
}

type Validators = {
  strict: (name: string) => ValidateFunction | null
  repairing: (name: string) => ValidateFunction | null
}

/** Times are not validated here: a charger's wrong clock is no reason to refuse its measurements. */
const common = { strict: false, validateFormats: false, allErrors: true } as const

const load = (version: Version): Validators => {
  const schemas = require(files[version]) as AnySchemaObject[] // the package's own data
  const byName = new Map(schemas.map((schema) => [String(schema['$id']).replace('urn:', ''), schema]))
  const compiler = (ajv: Ajv) => {
    const compiled = new Map<string, ValidateFunction>()
    return (name: string) => {
      const cached = compiled.get(name)
      if (cached) return cached
      const schema = byName.get(name)
      if (!schema) return null
      const { $id: _, $schema: __, ...rules } = schema // names that the compiler cannot resolve
      const compiledSchema = ajv.compile(rules)
      compiled.set(name, compiledSchema)
      return compiledSchema
    }
  }
  return {
    strict: compiler(new Ajv(common)),
    repairing: compiler(new Ajv({ ...common, coerceTypes: true, removeAdditional: 'all' })),
  }
}

const loaded = new Map<Version, Validators>()
const validatorsOf = (version: Version): Validators => {
  const cached = loaded.get(version) ?? load(version)
  loaded.set(version, cached)
  return cached
}

/** Throws for an invalid message from this server, which is a bug. */
export const checkSent = (version: Version, name: string, payload: Payload): void => {
  const validate = validatorsOf(version).strict(name)
  if (!validate?.(payload)) throw new Error(`${name} is not ${version}: ${JSON.stringify(validate?.errors?.[0])}`)
}

/** Null members are absent; texts are trimmed. */
const withoutNulls = (value: unknown): unknown => {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  )
}

/** Path of an error for the charger's page: `meterValue.sampledValue.unit`. */
const placeOf = ({ instancePath, keyword, params }: ErrorObject): string => {
  const path = instancePath.split('/').filter((part) => part !== '' && !/^\d+$/.test(part))
  if (keyword === 'required') path.push(String(params['missingProperty']))
  return `${path.join('.') || 'message'}: ${keyword}`
}

const maxDeviations = 10

type Incoming = { payload: Payload; deviations: string[] }

export const readCall = (version: Version, action: string, payload: Payload): Incoming => {
  const { strict, repairing } = validatorsOf(version)
  const validate = strict(`${action}.req`)
  if (!validate) throw new NotUnderstood('notImplemented', `${action} is not ${version}`)
  if (validate(payload)) return { payload, deviations: [] }
  const errors = (validate.errors ?? []).map(placeOf)
  const repaired = withoutNulls(payload) as Payload // an object stays an object
  const repairPayload = repairing(`${action}.req`)
  repairPayload?.(repaired)
  return { payload: repaired, deviations: [...new Set(errors)].slice(0, maxDeviations).map((at) => `${action} ${at}`) }
}

/** A charger's answer to a call; its readers drop wrong members. */
export const readResult = (payload: Payload): Payload => withoutNulls(payload) as Payload // an object stays an object
