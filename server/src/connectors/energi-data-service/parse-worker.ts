import { parentPort, workerData } from 'node:worker_threads'
import { datasets } from './datasets.ts'
import { parseBody } from './parse.ts'
import type { Task } from './parse-aside.ts'

const { text, dataset, asked } = workerData as Task // the shape that parseAside sends
// oxlint-disable-next-line require-post-message-target-origin -- the port of a thread, not a window
parentPort?.postMessage(parseBody(text, datasets[dataset], asked))
