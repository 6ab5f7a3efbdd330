import { emissions } from './emission.ts'
import { ownEmission } from './own.ts'

export const carbon = [...emissions, ownEmission]
