import { openBench } from './ocpp-server.ts'

/**
 * A charger that was offline sends its backlog, one message at a time, while others measure every second: their answer times, and whether each
 * message is stored exactly once.
 */

const messages = Number(process.env['OCPP_BACKLOG'] ?? 20_000)
const [others, aloneS] = [200, 10]
const bench = openBench()

type Backlog = { aloneP99Ms: number; besideP50Ms: number; besideP99Ms: number; tookS: number; sent: number }

const backlog = async () => {
  await bench.seed(others + 1)
  const { port, child } = await bench.serve()
  const load = bench.openLoad(`ws://127.0.0.1:${port}/ocpp`)
  await load.ask({ do: 'connect', count: others + 1, atOnce: 50 })
  const { sent, ...times } = await load.ask<Backlog>({ do: 'backlog', others, messages, aloneS })
  load.end()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
  const kept = await bench.rows((records) =>
    records.system((tx) =>
      tx
        .selectFrom('charger_register')
        .select((of) => of.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    ),
  )
  return {
    messages,
    others,
    ...times,
    answered: sent,
    kept: kept.count,
    ratio: times.besideP99Ms / times.aloneP99Ms,
  }
}

try {
  console.log(JSON.stringify(await backlog()))
} finally {
  bench.close()
}
process.exit(0)
