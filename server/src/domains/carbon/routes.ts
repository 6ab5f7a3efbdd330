import { emissions } from './emission.ts'
import { own } from './own.ts'

export const carbon = [...emissions, own]
