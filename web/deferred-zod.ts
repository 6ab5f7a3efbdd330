import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The contract's schemas are built when zod has loaded, which the first page does not need. */
export const deferredZod = (): Plugin => ({
  name: 'deferred-zod',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^zod$/ },
    handler: (_, importer) =>
      importer?.includes('/contract/src/') ? join(import.meta.dirname, 'src/lib/deferred-zod.ts') : null,
  },
})
