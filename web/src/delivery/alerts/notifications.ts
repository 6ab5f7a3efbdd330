import { notifications } from '@gridmast/contract/notifications/triggered.ts'
import { today } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { useLiveAlerts, useLiveResume } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'

/** Triggered alerts of today that are not muted. */
export const useNotifications = () => {
  const date = today(useNow(60_000))
  const query = useCall(notifications, { sent: { query: { date } }, enabled: useCan('alert.read') })
  useLiveAlerts(() => void query.refetch())
  useLiveResume(() => void query.refetch())
  return query
}
