import { createStore } from '#lib/store.ts'
import { defaultPrimary } from '#ui/theme/customer-colours.ts'

/** The customer's colour while a user is signed in. */
export const primaryStore = createStore(defaultPrimary)
