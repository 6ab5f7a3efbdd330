import { part } from '#lib/part.tsx'

export const toolsTabs = {
  sites: part(async () => (await import('#charging/sites/SitesTab.tsx')).SitesTab),
}
