/** Numbers of the specification and of the security rules, with their units. */
export const limits = {
  passwordMin: 8,
  passwordMax: 40,
  passwordExpiryS: 7_890_000,
  toastMs: 2100,
  sidebarHoverMs: 500,
  firstLoaderMs: 1000,
  recentApps: 5,
  pageSize: 30,
  edgeAliveMs: 15 * 60_000,
  bodyBytes: 1024 * 1024,
  jsonDepth: 20,
  seriesPoints: 5000,
  defaultPoints: 1500,
  seriesPerGraph: 20,
  rawRangeMs: 24 * 3_600_000,
  exportDays: 400,
  exportRows: 1_048_575,
} as const

export const storageKeys = { token: 'GM_TOKEN', users: 'GM_USERS', theme: 'THEME' } as const
