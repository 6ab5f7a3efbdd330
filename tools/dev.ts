// npm run dev: the demo with hot reload of the web app (http://localhost:5173).
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root, startNode } from './run.ts'

const env = { ...process.env, GRIDMAST_DEV: 'on', LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn' }
const children = [
  startNode('tools/start.ts', [], { env }),
  spawn(join(root, 'node_modules/.bin/vite'), [], { cwd: join(root, 'web'), stdio: 'inherit', env }),
]

const stop = () => children.forEach((child) => child.kill('SIGTERM'))
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
for (const child of children) child.once('exit', stop)
