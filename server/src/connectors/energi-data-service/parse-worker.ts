import { parentPort, workerData } from 'node:worker_threads'
import { datasets } from './datasets.ts'
import { parseBody } from './parse.ts'
import type { Task } from './parse-aside.ts'

const { text, dataset, asked } = workerData as Task // what parseAside hands over
parentPort?.postMessage(parseBody(text, datasets[dataset], asked))
