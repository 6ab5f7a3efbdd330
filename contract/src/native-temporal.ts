import type { Temporal as Types } from 'temporal-polyfill'

// Replaces 'temporal-polyfill' in the browser (vite.config.ts): 21 kB that only browsers without Temporal load.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

export const { Temporal } = globalThis as unknown as { Temporal: typeof Types } // TypeScript's own library includes it from ES2026 on
