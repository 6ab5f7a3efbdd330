const missing = new WeakSet<object>()
let hasShownPage = false

/** A page left open over an update requires files that the server no longer has. A preload may fail: only an error that is shown leads to a reload. */
export const followMissingFiles = () =>
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // By its message TanStack Router would know it, and reload once for each file and tab.
    payload.message = `A file of the portal is missing. ${payload.message}`
    missing.add(payload)
  })

export const notePage = () => {
  hasShownPage = true
}

/** Loads the new version where `error` is such a file; not where a reload has just failed to show a page. */
export const reloadFor = (error: unknown): boolean => {
  const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[] // as the type of entry says
  const isLoop = opened?.type === 'reload' && !hasShownPage
  if (typeof error !== 'object' || error === null || !missing.has(error) || isLoop) return false
  location.reload()
  return true
}
