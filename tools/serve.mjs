// npm run serve: the server alone, as in production, after `npm run build`; installs and builds nothing and creates no demo. Plain JavaScript
// for the Node that starts it (20 or newer). A supervisor (systemd, a container) restarts it when it ends.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const refuse = (words) => {
  console.error(words)
  process.exit(1)
}

const node = at('node_modules/.bin/node')
const installed = at('node_modules/.gridmast-installed')
const lockfile = createHash('sha256')
  .update(readFileSync(at('package-lock.json')))
  .digest('hex')
if (!existsSync(node) || !existsSync(installed) || readFileSync(installed, 'utf8') !== lockfile)
  refuse('The packages of this version are not installed. Run npm run build first.')
if (spawnSync(node, [at('tools/build.ts'), '--check'], { stdio: 'inherit' }).status !== 0) process.exit(1)
if (process.env.DEMO === 'on') refuse('npm run serve makes no demo; npm start does.')

const engine = JSON.parse(readFileSync(at('tools/engine.json'), 'utf8'))
const env = { ...engine, ...process.env, DEMO: 'off' }
const server = spawn(node, [at('server/src/main.ts')], { cwd: at('.'), stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
server.on('exit', (code) => process.exit(code ?? 1))
