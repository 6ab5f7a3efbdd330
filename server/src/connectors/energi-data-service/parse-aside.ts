import { Worker } from 'node:worker_threads'
import { datasets, type DatasetName } from './datasets.ts'
import { parseBody, type Asked, type Parsed } from './parse.ts'

export type Task = { text: string; dataset: DatasetName; asked: Asked }

/** A month of reserve prices is 5 MB and takes 300 ms; smaller texts take less than 30 ms. */
const largeText = 400_000

/** Without a limit a body of 5 MB takes 100 MB more memory (measured). */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

/** As parseBody, but a large body is parsed in a worker thread. */
export const parseAside = (text: string, dataset: DatasetName, asked: Asked): Promise<Parsed> => {
  if (text.length < largeText) return Promise.resolve(parseBody(text, datasets[dataset], asked))
  return new Promise((resolve, reject) => {
    const task: Task = { text, dataset, asked }
    const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), { workerData: task, resourceLimits })
    worker.once('message', (parsed: Parsed) => resolve(parsed))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that read a body ended without an answer')))
  })
}
