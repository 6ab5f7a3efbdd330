import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export class Failed extends Error {}

/** Runs a program of node_modules/.bin; throws {@link Failed} when it fails. */
export const run = (program: string, args: string[], options: SpawnOptions = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules/.bin', program), args, { cwd: root, stdio: 'inherit', ...options })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Failed(`${program} ${args[0] ?? ''} failed`))))
  })

export const startNode = (script: string, args: string[], options: SpawnOptions = {}): ChildProcess =>
  spawn(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit', ...options })

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
