import { flushSync } from 'react-dom'
import { currentMs } from './clock.ts'
import { createStore } from './store.ts'

/** The time of the print while the page is printed; null on the screen. Rendered before the browser lays the pages out. */
export const printing = createStore<number | null>(null)

window.addEventListener('beforeprint', () => flushSync(() => printing.set(currentMs())))
window.addEventListener('afterprint', () => printing.set(null))
