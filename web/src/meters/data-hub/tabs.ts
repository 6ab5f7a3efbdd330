import { part } from '#lib/part.tsx'

export const hubTabs = {
  allMeters: part(async () => (await import('./AllMetersTab.tsx')).AllMetersTab),
}
