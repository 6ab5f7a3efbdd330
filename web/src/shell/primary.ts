import { createStore } from '#lib/store.ts'
import { defaultPrimary } from '#ui/theme/customer-colours.ts'

export const primaryStore = createStore(defaultPrimary)
