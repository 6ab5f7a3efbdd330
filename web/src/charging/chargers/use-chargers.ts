import { findChargers } from '@gridmast/contract/charging/ev-charging.ts'
import { useThrottledCallback } from '@mantine/hooks'
import { useLiveChargers, useLiveResume } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'

/** Power and state of charge have no notification of their own. */
const rereadMs = 30_000
/** A fleet that reconnects notifies of many chargers at once. */
const rereadAtMostMs = 1000

export const useChargers = (licenceId: string) => {
  const read = useCall(findChargers, { sent: { params: { id: licenceId } }, refetchIntervalMs: rereadMs })
  const reread = useThrottledCallback(() => void read.refetch(), rereadAtMostMs)
  useLiveChargers(reread)
  useLiveResume(reread)
  return read
}

export const versionWords = (version: string | null): string | null =>
  version?.startsWith('ocpp') ? `OCPP ${version.slice(4)}` : version
