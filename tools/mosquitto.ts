import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { findProgram, installOnDebian } from './debian.ts'
import { freePort, isListening, root } from './run.ts'

/** Installs it on Debian when missing; tests that need it report where that fails. */
export const hasMosquitto = (): boolean =>
  findProgram('mosquitto') !== undefined ||
  (installOnDebian('Mosquitto', ['mosquitto']) && findProgram('mosquitto') !== undefined)

/** Passwords by user name. `server` has the rights of the user `gridmast`, every other user those of an edge. */
type Names = { server: string } & Record<string, string>

/** A separate Mosquitto with passwords and access list of deploy/mosquitto and `more` settings of its listener, or null without an installation. */
export const startMosquitto = async (names: Names, more: readonly string[] = []) => {
  const [program, passwd] = [findProgram('mosquitto'), findProgram('mosquitto_passwd')]
  if (!program || !passwd) return null
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-mosquitto-'))
  const [config, passwords, access] = ['mosquitto.conf', 'passwords', 'access'].map((name) => join(folder, name))
  if (!config || !passwords || !access) throw new Error('unreachable: three names were given')
  for (const [i, [name, password]] of Object.entries(names).entries())
    spawnSync(passwd, [...(i === 0 ? ['-c'] : []), '-b', passwords, name, password])
  const acl = readFileSync(join(root, 'deploy/mosquitto/gridmast.acl'), 'utf8')
  writeFileSync(access, acl.replace('user gridmast', 'user server'), { mode: 0o600 })
  const port = await freePort()
  const settings = [
    `listener ${port} 127.0.0.1`,
    ...more,
    'allow_anonymous false',
    `password_file ${passwords}`,
    `acl_file ${access}`,
    `user ${userInfo().username}`,
    'persistence true',
    `persistence_location ${folder}/`,
    'max_queued_messages 100000',
    'max_inflight_messages 1000',
  ]
  writeFileSync(config, `${settings.join('\n')}\n`)
  const start = async () => {
    const process = spawn(program, ['-c', config], { stdio: 'ignore' })
    const ended = new Promise((resolve) => process.once('exit', resolve))
    for (let i = 0; i < 100 && !(await isListening(port)); i++) await new Promise((resolve) => setTimeout(resolve, 50))
    return { process, ended }
  }
  let broker = await start()
  return {
    port,
    urlOf: (name: string) => `mqtt://${name}:${names[name]}@127.0.0.1:${port}`,
    kill: async () => {
      broker.process.kill('SIGKILL')
      await broker.ended
    },
    /** After `kill`, with the same files and port. */
    restart: async () => void (broker = await start()),
    stop: async () => {
      broker.process.kill('SIGTERM')
      await broker.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
