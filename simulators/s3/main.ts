// node simulators/s3/main.ts --port 8093 --folder FOLDER --bucket NAME [--access-key …] [--secret-key …]
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openS3 } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8093' },
    host: { type: 'string', default: '127.0.0.1' },
    folder: { type: 'string', default: './s3' },
    bucket: { type: 'string', default: 'gridmast' },
    'access-key': { type: 'string', default: 'gridmast' },
    'secret-key': { type: 'string', default: 'gridmast-demo' },
  },
})
const port = Number(values.port)
mkdirSync(join(values.folder, values.bucket), { recursive: true })
const server = openS3({ folder: values.folder, accessKey: values['access-key'], secretKey: values['secret-key'] })
server.once('error', (error) => {
  console.error(`The S3 simulator cannot listen on port ${port}: ${error.message}`)
  process.exit(1)
})
server.listen(port, values.host, () => console.log(`S3 (simulated) on http://${values.host}:${port}/${values.bucket}`))

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.closeAllConnections()
    server.close(() => process.exit(0))
  })
