import { charts } from './charts.ts'
import { control } from './control.ts'

export const equipment = [control, ...charts]
