// node simulators/push-service/main.ts --port 8094
import { parseArgs } from 'node:util'
import { openPushService } from './server.ts'

const { values } = parseArgs({
  options: { port: { type: 'string', default: '8094' }, host: { type: 'string', default: '127.0.0.1' } },
})

const service = openPushService({ now: Date.now })
console.log(`push service: ${await service.listen(Number(values.port), values.host)}`)
process.on('SIGTERM', () => {
  service.close()
  process.exit(0)
})
