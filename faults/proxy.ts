import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** cut: connections end and new ones are refused; held: nothing is transmitted; slow: each message takes two seconds. */
export type Network = 'whole' | 'cut' | 'held' | 'slow'

const slowMs = 2000

/** A network between a process and its store on this machine. */
export const startProxy = async (target: number) => {
  let network: Network = 'whole'
  let released = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const forward = (from: Socket, to: Socket) => {
    let latest = Promise.resolve()
    const inTurn = (work: () => void) => {
      const isSlow = network === 'slow'
      const atMs = Date.now() + (isSlow ? slowMs : 0)
      latest = latest.then(async () => {
        if (isSlow) await pause(Math.max(0, atMs - Date.now()))
        if (network === 'held') await released.promise
        work()
      })
    }
    from.on('data', (bytes: Buffer) => inTurn(() => void (to.destroyed || to.write(bytes))))
    from.once('end', () => inTurn(() => void to.end()))
    from.once('close', () => inTurn(() => void to.destroy()))
  }
  const server = createServer((socket) => {
    if (network === 'cut') return void socket.resetAndDestroy()
    const upstream = keep(connect(target, '127.0.0.1'))
    forward(keep(socket), upstream)
    forward(upstream, socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    set: (next: Network) => {
      network = next
      if (next === 'cut') for (const socket of sockets) socket.resetAndDestroy()
      if (next === 'held') released = Promise.withResolvers<void>()
      else released.resolve()
    },
    stop: async () => {
      released.resolve()
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
