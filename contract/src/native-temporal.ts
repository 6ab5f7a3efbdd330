import type { Temporal as Types } from 'temporal-polyfill'

// Stands for 'temporal-polyfill' in the browser (vite.config.ts): 21 kB on the wire that only browsers without Temporal fetch.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

export const { Temporal } = globalThis as unknown as { Temporal: typeof Types } // the language's own types name it from ES2026 on
