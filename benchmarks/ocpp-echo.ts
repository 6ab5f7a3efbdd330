// The peer of benchmarks/ocpp.ts: a bare ws server that validates each payload by the schema and answers, without storing it.
import { createRequire } from 'node:module'
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv'
import { WebSocketServer } from 'ws'

const schemas = createRequire(import.meta.url)('ocpp-rpc/lib/schemas/ocpp1_6.json') as AnySchemaObject[]
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
const validators = new Map<string, ValidateFunction>(
  ['BootNotification', 'MeterValues'].map((action) => {
    const schema = schemas.find((one) => one['$id'] === `urn:${action}.req`)
    const { $id: _, $schema: __, ...rules } = schema ?? {}
    return [action, ajv.compile(rules)]
  }),
)
const server = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  perMessageDeflate: false,
  handleProtocols: () => 'ocpp1.6',
})
server.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const [, id, action, payload] = JSON.parse(data.toString()) as [number, string, string, unknown]
    if (validators.get(action)?.(payload)) socket.send(JSON.stringify([3, id, {}]))
  })
})
server.on('listening', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
