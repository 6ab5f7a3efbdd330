import { downloads } from './download.ts'
import { explanations } from './explain.ts'
import { graphs } from './graph.ts'
import { keys } from './keys.ts'
import { overviews } from './overview.ts'
import { settings } from './settings.ts'

export const dataHub = [...keys, ...settings, ...graphs, ...explanations, ...downloads, ...overviews]
