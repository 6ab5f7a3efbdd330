import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { DurableFolder, startParams } from './pglite-disk.ts'
import type { Answer, EngineRequest, Store } from './pglite-engine.ts'

/** The engine has no checkpointer: without this limit the log, and the recovery time after a crash, grow until the store is closed. */
const longestLogBytes = 32 * 1024 * 1024
const checkEveryMs = 1000

const port = parentPort
if (!port) throw new Error('Runs as a worker only')
const { dataDir, snapshot } = workerData as Store // the shape that pglite-engine.ts sends
const post = (answer: Answer, transfer: ArrayBuffer[] = []) => port.postMessage(answer, transfer)

/** V8's optimising compiler briefly takes 400 MB for functions of PostgreSQL; without it a query takes a tenth to a third more CPU (ADR 5). */
const optimise = (on: boolean) => {
  for (const flag of ['wasm-tier-up', 'wasm-dynamic-tiering']) setFlagsFromString(`--${on ? '' : 'no-'}${flag}`)
}

// After an abort (usually a full or failing disk) the engine would loop forever at the next call.
let lastFailure = ''
optimise(false)
const pglite = await PGlite.create({
  ...(dataDir ? { fs: new DurableFolder(dataDir) } : {}),
  ...(snapshot ? { loadDataDir: new Blob([snapshot]) } : {}),
  startParams,
  onStderr: (line) => {
    if (line.includes('PANIC') || line.includes('FATAL')) lastFailure = line
    if (line.startsWith('Aborted(')) {
      post({ ended: lastFailure || line })
      process.exit(1)
    }
    return false
  },
})

// A module keeps the flags of its compilation; the solver of plans is compiled later, with optimisation.
optimise(true)

const exchange = async (messages: Uint8Array): Promise<void> => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  // A stream, because the store parses and stores any other answer. Copied, because the next part reuses the memory.
  await pglite.execProtocolRawStream(messages, { onRawData: (part) => void parts.push(part.slice()), syncToFs: false })
  // One message per answer: the driver must not send the next request before the store has finished.
  const whole = parts.length === 1 && parts[0] ? parts[0] : new Uint8Array(Buffer.concat(parts))
  post({ bytes: whole }, [whole.buffer])
}

let isHeld = false
let checkedAtMs = Date.now()
const keepLogShort = async () => {
  if (isHeld || Date.now() - checkedAtMs < checkEveryMs || pglite.isInTransaction()) return
  checkedAtMs = Date.now()
  const { rows } = await pglite.query<{ bytes: number }>(
    'select (pg_current_wal_insert_lsn() - redo_lsn)::int8 as bytes from pg_control_checkpoint()',
  )
  if ((rows[0]?.bytes ?? 0) > longestLogBytes) await pglite.exec('checkpoint')
}

const answer = async (request: EngineRequest): Promise<void> => {
  if ('bytes' in request) {
    await exchange(request.bytes)
    await keepLogShort()
  } else if ('hold' in request) {
    isHeld = request.hold
    post({ done: true })
  } else if (request.command === 'snapshot') {
    const bytes = await (await pglite.dumpDataDir('none')).arrayBuffer()
    post({ bytes: new Uint8Array(bytes) }, [bytes])
  } else {
    await pglite.close()
    post({ done: true })
    port.close()
  }
}

let turn = Promise.resolve()
port.on('message', (request: EngineRequest) => {
  turn = turn.then(() => answer(request))
})
post({ done: true })
