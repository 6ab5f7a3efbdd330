import { notifications } from '@gridmast/contract/notifications/triggered.ts'
import { today } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { useLiveAlerts, useLiveResume } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'

/** What was triggered today and not muted, read again when something more is. */
export const useNotifications = () => {
  const date = today(useNow(60_000))
  const read = useCall(notifications, { sent: { query: { date } }, enabled: useCan('alert.read') })
  useLiveAlerts(() => void read.refetch())
  useLiveResume(() => void read.refetch())
  return read
}
