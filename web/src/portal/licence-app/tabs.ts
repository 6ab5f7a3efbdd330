import { part } from '#lib/part.tsx'

export const tabParts = {
  alerts: part(async () => (await import('#delivery/alerts/AlertsTab.tsx')).AlertsTab),
  events: part(async () => (await import('#delivery/events/Events.tsx')).Events),
  details: part(async () => (await import('#delivery/instances/AllInstances.tsx')).AllInstances),
}
