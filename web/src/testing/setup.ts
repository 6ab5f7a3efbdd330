import './quick-react.ts'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { serverAheadMs } from '#lib/clock.ts'
import { deviceStorage } from '#lib/store.ts'
import { connectToasts } from '#lib/toast.ts'
import { followTooltips } from '#ui/tooltip.ts'
import { endCalls, complaints } from './answers.ts'
import { toasts } from './toasts.ts'

followTooltips()

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => {
    const text = parts.map(String).join(' ')
    // The browser's word for a layout that settles in the next frame.
    if (!text.includes('ResizeObserver loop')) complaints.push(text)
  })
  toasts.length = 0
  connectToasts(({ message }) => toasts.push(message))
})

afterEach(() => {
  cleanup()
  endCalls()
  vi.restoreAllMocks()
  localStorage.clear()
  // What a test with blocked storage has kept in memory.
  for (const key of Object.values(storageKeys)) deviceStorage.write(key, null)
  serverAheadMs.set(0)
  expect(complaints.splice(0)).toEqual([])
})
