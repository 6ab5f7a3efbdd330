// Entry point of every npm script: plain JavaScript for the Node of npm (20 or newer), before any installation. Installs the lockfile after a
// change, then runs the given script on the project's own Node.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname ?? new URL('..', import.meta.url).pathname, import.meta.dirname ? '..' : '.')
const stamp = join(root, 'node_modules/.gridmast-installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')
const bin = join(root, 'node_modules/.bin')
const node = join(bin, process.platform === 'win32' ? 'node.exe' : 'node')

const installed = existsSync(node) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
if (!installed) {
  console.log('Installing the packages of package-lock.json ...')
  // `npm ci` refuses a lockfile without the optional packages of platforms that the registry lacks; `npm install --no-save` installs the
  // locked versions and changes neither file.
  const npm = process.env.npm_execpath
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []]
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const done = spawnSync(command, [...args, ...install], { cwd: root, stdio: 'inherit' })
  if (done.status !== 0) {
    console.error('npm install failed: see the lines above.')
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}
if (!existsSync(node)) {
  console.error(
    'The package node@24 did not install a program for this platform. Use Node 24.21 yourself: node ' +
      process.argv.slice(2).join(' '),
  )
  process.exit(1)
}

const child = spawn(node, process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// npm runs this under a shell that ends on a signal without passing it on, so the end of the shell ends this process.
const parent = process.ppid
setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref()
child.on('error', (error) => {
  console.error(
    `The project's Node does not run on this platform (${error.message}). Use Node 24.21 yourself: node ${process.argv.slice(2).join(' ')}`,
  )
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
