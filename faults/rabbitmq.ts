import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { installOnDebian } from '../tools/debian.ts'
import { unprivileged } from '../tools/postgres.ts'
import { freePort, isListening, root } from '../tools/run.ts'
import { startHaproxy } from './haproxy.ts'
import { signalFamily, until } from './processes.ts'

/** The scripts of /usr/sbin change to the user of the package, whose files are those of the machine's own broker. */
const programsFolder = () => globSync('/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin').at(-1)

type Node = { name: string; mqtt: number; process: ChildProcess; env: Record<string, string> }

const passwords: Record<string, string> = { gridmast: 'the-server', 'edge-lab': 'gridmast-demo' }

/** Three nodes of RabbitMQ with deploy/rabbitmq/rabbitmq.conf, and its users by add-user.sh; names, ports and disk limit are of this machine. */
export const startRabbitmq = async () => {
  if (!programsFolder()) installOnDebian('RabbitMQ', ['rabbitmq-server'])
  const bin = programsFolder()
  if (!bin) throw new Error('RabbitMQ is missing: apt-get install rabbitmq-server')
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-rabbitmq-'))
  const options = unprivileged(folder)
  const own = (path: string) => {
    if (options.uid !== undefined) chownSync(path, options.uid, options.gid ?? options.uid)
    return path
  }
  const cookie = join(folder, '.erlang.cookie')
  writeFileSync(cookie, 'cookie-of-a-drill')
  chmodSync(own(cookie), 0o400)
  const plugins = join(folder, 'enabled_plugins')
  writeFileSync(plugins, '[rabbitmq_mqtt].')
  const [logFile, epmdPort] = [join(folder, 'log'), await freePort()]
  const log = openSync(logFile, 'a')
  const children: ChildProcess[] = []
  const shared = {
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    HOME: folder,
    LANG: 'C.UTF-8',
    ERL_EPMD_PORT: String(epmdPort),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
  }
  const run = (program: string, args: string[], env: Record<string, string>) => {
    const child = spawn(program, args, { ...options, env, stdio: ['ignore', log, log] })
    children.push(child)
    return child
  }
  const start = (env: Record<string, string>) => run(join(bin, 'rabbitmq-server'), [], env)
  const startNode = async (number: number): Promise<Node> => {
    const [name, mqtt, amqp, peers] = [
      `gridmast-${number}@localhost`,
      await freePort(),
      await freePort(),
      await freePort(),
    ]
    const home = join(folder, `node-${number}`)
    mkdirSync(home)
    own(home)
    const config = readFileSync(join(root, 'deploy/rabbitmq/rabbitmq.conf'), 'utf8')
      .replaceAll(/rabbit@rabbitmq-(\d)/g, 'gridmast-$1@localhost')
      .replace('mqtt.listeners.tcp.default = 1883', `mqtt.listeners.tcp.1 = 127.0.0.1:${mqtt}`)
      .replace('disk_free_limit.absolute = 5GB', 'disk_free_limit.absolute = 50MB')
    writeFileSync(join(folder, `${number}.conf`), `${config}\nlisteners.tcp.1 = 127.0.0.1:${amqp}\n`)
    const env = {
      ...shared,
      RABBITMQ_NODENAME: name,
      RABBITMQ_DIST_PORT: String(peers),
      RABBITMQ_MNESIA_BASE: home,
      RABBITMQ_LOG_BASE: home,
      RABBITMQ_CONFIG_FILE: join(folder, String(number)),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    }
    return { name, mqtt, process: start(env), env }
  }
  const stop = async () => {
    for (const child of children)
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        signalFamily(child.pid, 'SIGKILL')
        await ended
      }
    closeSync(log)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    // A node would start its own and leave it behind.
    run('epmd', ['-port', String(epmdPort), '-address', '127.0.0.1'], shared)
    await until('epmd has started', () => isListening(epmdPort))
    const nodes = [await startNode(1), await startNode(2), await startNode(3)]
    const ask = ({ env }: Node, program: string, args: string[], input = '') => {
      const { stdout, stderr, status } = spawnSync(program, args, {
        ...options,
        env,
        stdio: 'pipe',
        encoding: 'utf8',
        input,
      })
      return status === 0 ? stdout : `failed: ${stderr}`
    }
    const [first] = nodes
    if (!first) throw new Error('unreachable: three nodes were started')
    await until(
      'the cluster has three nodes',
      async () =>
        (await Promise.all(nodes.map(({ mqtt }) => isListening(mqtt)))).every(Boolean) &&
        nodes.every(({ name }) =>
          ask(first, 'rabbitmqctl', ['cluster_status']).split('Running Nodes')[1]?.includes(name),
        ),
      180_000,
    )
    const addUser = join(root, 'deploy/rabbitmq/add-user.sh')
    for (const [name, password] of Object.entries(passwords)) {
      const answer = ask(first, '/bin/sh', [addUser, name], password)
      if (answer.startsWith('failed')) throw new Error(`add-user.sh ${name} ${answer}`)
    }
    const haproxy = await startHaproxy({ mqtt: nodes.map(({ mqtt }) => mqtt) })
    const nodeOf = (clientId: string) => {
      const connections = ask(first, 'rabbitmqctl', ['list_mqtt_connections', 'client_id', 'conn_name', '--quiet'])
      const line = connections.split('\n').find((one) => one.startsWith(`${clientId}\t`))
      return nodes.find(({ mqtt }) => line?.trim().endsWith(`:${mqtt}`))
    }
    return {
      urlOf: (name: string) => {
        const user = name === 'server' ? 'gridmast' : name
        return `mqtt://${user}:${passwords[user]}@127.0.0.1:${haproxy.mqtt}`
      },
      /** Kills the node that a client is connected to. */
      nodeOf: (clientId: string) => {
        const node = nodeOf(clientId)
        if (!node) throw new Error(`no node has the client ${clientId}`)
        return () => signalFamily(node.process.pid, 'SIGKILL')
      },
      /** Kills the two nodes that a client is not connected to; the answer starts them again. */
      killAllBut: (clientId: string) => {
        const left = nodeOf(clientId)
        if (!left) throw new Error(`no node has the client ${clientId}`)
        const killed = nodes.filter((node) => node !== left)
        for (const { process: child } of killed) signalFamily(child.pid, 'SIGKILL')
        return () => {
          for (const node of killed) node.process = start(node.env)
        }
      },
      stop: async () => {
        await haproxy.stop()
        await stop()
      },
    }
  } catch (error) {
    console.error(existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n').slice(-30).join('\n') : '')
    await stop()
    throw error
  }
}
