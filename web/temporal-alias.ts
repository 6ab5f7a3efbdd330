import { fileURLToPath } from 'node:url'

/** A browser's own Temporal before the polyfill's. */
export const browserTemporal = [
  {
    find: /^temporal-polyfill$/,
    replacement: fileURLToPath(import.meta.resolve('@gridmast/contract/native-temporal.ts')),
  },
]
