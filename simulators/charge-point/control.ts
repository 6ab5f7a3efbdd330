import { createServer } from 'node:http'
import type { SimulatedCharger } from './charger.ts'

export const openControl = (port: number, chargers: ReadonlyMap<string, SimulatedCharger>) =>
  createServer((request, answer) => {
    const [, identity = '', fault = '', value = '1'] = (request.url ?? '').split('/').map(decodeURIComponent)
    const charger = chargers.get(identity)
    const isDone = request.method === 'POST' && charger?.fault(fault, Number(value) || 0) === true
    answer.writeHead(isDone ? 204 : 404).end()
  }).listen(port, '127.0.0.1')
