/** Counts how far what is on the page moves by itself, as Chromium scores it; call the answer for the sum. */
export const watchShifts = (): (() => number) => {
  let sum = 0
  const add = (entries: PerformanceEntry[]) => {
    // The type of such an entry is not among those of TypeScript.
    for (const entry of entries as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) sum += entry.value
  }
  const watching = new PerformanceObserver((list) => add(list.getEntries()))
  watching.observe({ type: 'layout-shift' })
  return () => {
    add(watching.takeRecords())
    watching.disconnect()
    return sum
  }
}
