import {
  type LiveActivation,
  type RunningActivation,
  dashboardEvents,
  eventDataLog,
  findEvents,
  liveActivation,
  runningEvents,
} from '@gridmast/contract/delivery/events.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLiveActivations, useLiveResume } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'

/** So that what ended while the stream was away goes too. */
const rereadMs = minuteMs

type Heard = { activation: LiveActivation; atMs: number }

/** Activations that run now, of one market or of all; each goes by itself when it ends. */
export const useRunning = (market: string | undefined): RunningActivation[] => {
  const queries = useQueryClient()
  const read = useCall(runningEvents, { sent: { query: market ? { market } : {} }, refetchIntervalMs: rereadMs })
  const [heard, setHeard] = useState<Readonly<Record<string, Heard>>>({})
  useLiveActivations((told) => {
    const { data: activation } = liveActivation.safeParse(told)
    if (!activation) return
    if (market !== undefined && activation.market !== market) return
    // oxlint-disable-next-line gridmast/one-clock -- compared with `dataUpdatedAt`
    const atMs = Date.now()
    setHeard((before) => ({ ...before, [activation._id]: { activation, atMs } }))
    if (activation.ended)
      for (const { path } of [findEvents, dashboardEvents, eventDataLog])
        void queries.invalidateQueries({ queryKey: [path] })
  })
  useLiveResume(() => void read.refetch())

  const running = new Map((read.data?.running ?? []).map((one): [string, RunningActivation] => [one._id, one]))
  for (const { activation, atMs } of Object.values(heard)) {
    if (atMs < read.dataUpdatedAt) continue
    if (activation.ended) running.delete(activation._id)
    else running.set(activation._id, activation)
  }
  return [...running.values()].toSorted((a, b) => a.startTime.localeCompare(b.startTime))
}
