import { createServer, type Server } from 'node:net'

export type Place = { setting: string; host: string; port: number; hostSetting: string }

const words: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ port, setting }) => `Port ${port} is taken. Stop what uses it, or set ${setting} to a free one.`,
  EACCES: ({ port, setting }) => `${setting}: port ${port} is not for this user. Ports below 1024 are for root.`,
  EADDRNOTAVAIL: ({ host, hostSetting }) => `${hostSetting}: ${host} is no address of this machine.`,
  ENOTFOUND: ({ host, hostSetting }) => `${hostSetting}: ${host} is no address of this machine.`,
}

const listen = (place: Place): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(words[error.code ?? '']?.(place) ?? `${place.setting}: ${error.message}`)),
    )
    server.listen({ port: place.port, host: place.host }, () => resolve(server))
  })

/**
 * Checks the ports before the stores are opened, which takes half a minute in a new folder. Port 0 is any free port.
 */
export const checkPorts = async (places: readonly Place[]): Promise<void> => {
  const held: Server[] = []
  try {
    for (const place of places) if (place.port !== 0) held.push(await listen(place)) // all at once, so that two settings cannot name one port
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}
