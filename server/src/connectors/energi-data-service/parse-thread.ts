import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { datasets, type DatasetName } from './datasets.ts'
import { parseBody, type Parsed, type RequestedRows } from './parse.ts'

type Task = { text: string; dataset: DatasetName; requested: RequestedRows }

/** A month of reserve prices is 5 MB and takes 300 ms; smaller texts take less than 30 ms. */
const largeText = 400_000

/** Without a limit a body of 5 MB takes 100 MB more memory (measured). */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

/** As `parseBody`, in a thread for large texts. */
export const parseInThread = (text: string, dataset: DatasetName, requested: RequestedRows): Promise<Parsed> => {
  if (text.length < largeText) return Promise.resolve(parseBody(text, datasets[dataset], requested))
  return new Promise((resolve, reject) => {
    const workerData: Task = { text, dataset, requested }
    const worker = new Worker(new URL(import.meta.url), { workerData, resourceLimits })
    worker.once('message', (parsed: Parsed) => resolve(parsed))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that read a body ended without an answer')))
  })
}

if (!isMainThread) {
  const { text, dataset, requested } = workerData as Task // the shape that parseInThread sends
  // oxlint-disable-next-line require-post-message-target-origin -- the port of a thread, not a window
  parentPort?.postMessage(parseBody(text, datasets[dataset], requested))
}
