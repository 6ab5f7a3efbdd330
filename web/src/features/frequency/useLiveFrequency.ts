import type { Customer } from '@gridmast/contract/auth.ts'
import { useRef } from 'react'
import { type LiveValues, useLiveOfAny } from '#lib/live.ts'

const silentMs = 15_000

/**
 * Live frequency of an area. The stream names instances, not frequency signals; every meter of an area sees the same grid, so the first
 * instance heard is followed, and another one only after it has been silent for 15 s: two meters in turn would make the line tremble.
 */
export const useLiveFrequency = (customer: Customer, area: string, onValues: (values: LiveValues) => void) => {
  const source = useRef<{ instanceId: string; heardMs: number }>(null)
  const ids = customer.instances.filter((instance) => instance.area === area).map((instance) => instance._id)
  useLiveOfAny(ids, 'frequency', (instanceId, values) => {
    const now = Date.now()
    const other = source.current && source.current.instanceId !== instanceId
    if (other && now - (source.current?.heardMs ?? 0) < silentMs) return
    source.current = { instanceId, heardMs: now }
    onValues(values)
  })
}
