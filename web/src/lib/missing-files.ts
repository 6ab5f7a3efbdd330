const missing = new WeakSet<object>()
let hasShownPage = false

/** A page left open over an update requests files that the server no longer has. A preload may fail; only a shown error leads to a reload. */
export const followMissingFiles = () =>
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // TanStack Router recognises the original message and reloads once per file and tab.
    payload.message = `A file of the portal is missing. ${payload.message}`
    missing.add(payload)
  })

export const notePage = () => {
  hasShownPage = true
}

/** Loads the new version after a missing file; not when a reload has just failed to show a page. */
export const reloadFor = (error: unknown): boolean => {
  const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[] // the type of this entry
  const isLoop = opened?.type === 'reload' && !hasShownPage
  if (typeof error !== 'object' || error === null || !missing.has(error) || isLoop) return false
  location.reload()
  return true
}
