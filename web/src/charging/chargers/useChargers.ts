import { findChargers } from '@gridmast/contract/charging/ev-charging.ts'
import { useThrottledCallback } from '@mantine/hooks'
import { useLiveChargers, useLiveResume } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'

/** Power and state of charge are not told as they change, so they are read this often. */
const rereadMs = 30_000
/** A fleet that wakes up tells of many chargers at once. */
const oftenestMs = 1000

/** The chargers of a licence, read again as soon as one of them tells of something. */
export const useChargers = (licenceId: string) => {
  const read = useCall(findChargers, { sent: { params: { id: licenceId } }, refetchIntervalMs: rereadMs })
  const again = useThrottledCallback(() => void read.refetch(), oftenestMs)
  useLiveChargers(again)
  useLiveResume(again)
  return read
}
