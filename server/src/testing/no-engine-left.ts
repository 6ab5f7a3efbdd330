import { afterAll } from 'vitest'
import { closeWorkerEngine } from './readings.ts'

afterAll(closeWorkerEngine)
