import { dashboard } from './dashboard.ts'
import { importTags } from './tag-import.ts'

export const chargeFleet = [dashboard, importTags]
