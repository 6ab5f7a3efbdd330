/** `margin` pages at each end and `range` pages around the current one; null is a gap of more than one page. */
export const shownPages = (page: number, pages: number, margin: number, range: number): (number | null)[] => {
  const first = Math.max(1, Math.min(page - Math.floor(range / 2), pages - range + 1))
  const run = (from: number, length: number) => Array.from({ length }, (_, i) => from + i)
  const all = [...run(1, margin), ...run(first, range), ...run(pages - margin + 1, margin)]
  const shown = [...new Set(all)].filter((n) => n >= 1 && n <= pages).toSorted((a, b) => a - b)
  return shown.flatMap((n, i) => {
    const before = shown[i - 1] ?? n - 1
    return before === n - 1 ? [n] : before === n - 2 ? [n - 1, n] : [null, n]
  })
}
