export type Form = { name: string; url: string; events: readonly string[]; enabled: boolean }

/** Many receivers carry a secret in the path of their address: the trail names the host only. */
const withoutPath = ({ name, url, events, enabled }: Form) => ({ name, host: new URL(url).host, events, enabled })

/** Before and after of a webhook for the audit trail. */
export const auditChange = (change: { before?: Form; after?: Form }) => {
  const { before, after } = change
  const moved = before && after && before.url !== after.url ? { url: 'changed' } : {}
  return {
    ...(before ? { before: withoutPath(before) } : {}),
    ...(after ? { after: { ...withoutPath(after), ...moved } } : {}),
  }
}
