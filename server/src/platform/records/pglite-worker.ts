import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { DurableFolder, startParams } from './pglite-disk.ts'
import type { Answer, Ask, Store } from './pglite-engine.ts'

/** The engine has no checkpointer: without ours the log grows until the store is closed, and so does the time of a start after a crash. */
const longestLogBytes = 32 * 1024 * 1024
const lookEveryMs = 1000

const port = parentPort
if (!port) throw new Error('Runs as a worker only')
const { dataDir, snapshot } = workerData as Store // what pglite-engine.ts gives it
const tell = (answer: Answer, transfer: ArrayBuffer[] = []) => port.postMessage(answer, transfer)

/** For a moment V8's optimising compiler takes 400 MB for functions of PostgreSQL; without it a query takes a tenth to a third more CPU (ADR 5). */
const optimise = (on: boolean) => {
  for (const flag of ['wasm-tier-up', 'wasm-dynamic-tiering']) setFlagsFromString(`--${on ? '' : 'no-'}${flag}`)
}

// After an abort (a full or failing disk is the usual one) the engine would spin for ever at the next call.
let lastWords = ''
optimise(false)
const pglite = await PGlite.create({
  ...(dataDir ? { fs: new DurableFolder(dataDir) } : {}),
  ...(snapshot ? { loadDataDir: new Blob([snapshot]) } : {}),
  startParams,
  onStderr: (line) => {
    if (line.includes('PANIC') || line.includes('FATAL')) lastWords = line
    if (line.startsWith('Aborted(')) {
      tell({ ended: lastWords || line })
      process.exit(1)
    }
    return false
  },
})

// A module keeps what was set when it was compiled; the solver of plans is optimised.
optimise(true)

const exchange = async (messages: Uint8Array): Promise<void> => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  // As a stream, because the store reads and keeps every other answer itself as well. Copied: the next part stands in the same place.
  await pglite.execProtocolRawStream(messages, { onRawData: (part) => void parts.push(part.slice()), syncToFs: false })
  // Whole: the driver must not ask on before the store has come to its end.
  const whole = parts.length === 1 && parts[0] ? parts[0] : new Uint8Array(Buffer.concat(parts))
  tell({ bytes: whole }, [whole.buffer])
}

let isHeld = false
let lookedAtMs = Date.now()
const keepLogShort = async () => {
  if (isHeld || Date.now() - lookedAtMs < lookEveryMs || pglite.isInTransaction()) return
  lookedAtMs = Date.now()
  const { rows } = await pglite.query<{ bytes: number }>(
    'select (pg_current_wal_insert_lsn() - redo_lsn)::int8 as bytes from pg_control_checkpoint()',
  )
  if ((rows[0]?.bytes ?? 0) > longestLogBytes) await pglite.exec('checkpoint')
}

const answer = async (ask: Ask): Promise<void> => {
  if ('bytes' in ask) {
    await exchange(ask.bytes)
    await keepLogShort()
  } else if ('hold' in ask) {
    isHeld = ask.hold
    tell({ done: true })
  } else if (ask.ask === 'snapshot') {
    const bytes = await (await pglite.dumpDataDir('none')).arrayBuffer()
    tell({ bytes: new Uint8Array(bytes) }, [bytes])
  } else {
    await pglite.close()
    tell({ done: true })
    port.close()
  }
}

let turn = Promise.resolve()
port.on('message', (ask: Ask) => {
  turn = turn.then(() => answer(ask))
})
tell({ done: true })
