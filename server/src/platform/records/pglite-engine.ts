import { Worker } from 'node:worker_threads'

/** A folder, or memory; memory starts from a snapshot or empty. */
export type Store = { dataDir?: string | undefined; snapshot?: ArrayBuffer | undefined }

/** Requests to the worker and their answers, one each and in order. `ended` has no request: the engine has stopped. */
export type EngineRequest = { bytes: Uint8Array } | { hold: boolean } | { command: 'snapshot' | 'close' }
export type Answer = { bytes: Uint8Array<ArrayBuffer> } | { done: true } | { ended: string }

export type Engine = {
  /** Sends messages of the PostgreSQL protocol, whose bytes are transferred, and answers all of the reply. One call at a time. */
  exchange: (messages: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>
  /** While on, the engine keeps its whole log. */
  hold: (on: boolean) => Promise<void>
  snapshot: () => Promise<Blob>
  close: () => Promise<void>
}

/**
 * PostgreSQL in a worker thread: a long query delays other queries, but not MQTT and HTTP. A failed engine ends the process like a crash:
 * nothing works without records, and the next start recovers them.
 */
export const openEngine = async (store: Store): Promise<Engine> => {
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData: store, execArgv: [] })
  const waiting: PromiseWithResolvers<Uint8Array<ArrayBuffer>>[] = []
  let failure: string | undefined
  let state: 'opening' | 'open' | 'closed' = 'opening'

  const next = () => {
    const waiter = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    waiting.push(waiter)
    worker.ref() // a pending answer keeps the process alive, an idle engine does not
    return waiter.promise
  }
  const send = (request: EngineRequest, transfer: ArrayBuffer[] = []) => {
    if (state === 'closed') return Promise.reject(new Error('The records store is closed'))
    worker.postMessage(request, transfer)
    return next()
  }
  worker.on('message', (answer: Answer) => {
    if ('ended' in answer) failure = answer.ended
    else waiting.shift()?.resolve('bytes' in answer ? answer.bytes : new Uint8Array())
    if (waiting.length === 0) worker.unref()
  })
  const stop = (reason: string) => {
    const error = new Error(`The engine of the records store has stopped: ${reason}`)
    const wasOpen = state === 'open'
    state = 'closed'
    for (const waiter of waiting.splice(0)) waiter.reject(error)
    if (wasOpen) throw error
  }
  worker.on('error', (error) => stop(error instanceof Error ? error.message : String(error)))
  worker.on('exit', (code) => stop(failure ?? `it ended with code ${code}`))

  await next()
  state = 'open'
  return {
    exchange: (messages) => send({ bytes: messages }, [messages.buffer]),
    hold: async (on) => void (await send({ hold: on })),
    snapshot: async () => new Blob([await send({ command: 'snapshot' })]),
    close: async () => {
      const answered = send({ command: 'close' })
      state = 'closed'
      await answered
      await worker.terminate()
    },
  }
}
