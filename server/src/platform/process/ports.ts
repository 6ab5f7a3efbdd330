import { createServer, type Server } from 'node:net'

export type Listener = { setting: string; host: string; port: number; hostSetting: string }

const words: Record<string, (listener: Listener) => string> = {
  EADDRINUSE: ({ port, setting }) => `Port ${port} is taken. Stop what uses it, or set ${setting} to a free one.`,
  EACCES: ({ port, setting }) => `${setting}: port ${port} is not for this user. Ports below 1024 are for root.`,
  EADDRNOTAVAIL: ({ host, hostSetting }) => `${hostSetting}: ${host} is no address of this machine.`,
  ENOTFOUND: ({ host, hostSetting }) => `${hostSetting}: ${host} is no address of this machine.`,
}

const listen = (listener: Listener): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(words[error.code ?? '']?.(listener) ?? `${listener.setting}: ${error.message}`)),
    )
    server.listen({ port: listener.port, host: listener.host }, () => resolve(server))
  })

/** Checks the ports before the stores are opened, which takes half a minute in a new folder. Port 0 is any free port. */
export const checkPorts = async (listeners: readonly Listener[]): Promise<void> => {
  const servers: Server[] = []
  try {
    for (const listener of listeners) if (listener.port !== 0) servers.push(await listen(listener)) // all at once, so that two settings cannot name one port
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}
