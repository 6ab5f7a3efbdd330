import { statfs } from 'node:fs/promises'

export class DiskNearlyFull extends Error {}

type DiskGuard = {
  trouble: () => string | null
  close: () => Promise<void>
}

type Options = {
  folder: string
  /** Writing stops below this; default 5 % of the disk, at least 1 GiB and at most 10. */
  minFreeBytes?: number | undefined
  onChange: (trouble: string | null) => Promise<void>
}

const gibibyte = 2 ** 30
/** At 1 GB/s of other writes, three quarters of the smallest default are still free at detection. */
const checkIntervalMs = 250
/** Hysteresis, so that merges at the limit do not stop and resume writing each time. */
const hysteresis = 1.1

/**
 * Stops all writing before the disk is full: a merge of the embedded engine on a full disk is committed with empty files and its sources are
 * removed, so acknowledged samples are lost (measured, chDB 3.4).
 */
export const guardDisk = async ({ folder, minFreeBytes, onChange }: Options): Promise<DiskGuard> => {
  let trouble: string | null = null
  let isReported = true
  let isClosed = false
  let checking = Promise.resolve()

  const check = async () => {
    const { bavail, blocks, bsize } = await statfs(folder)
    const [free, least] = [bavail * bsize, minFreeBytes ?? leastFree(blocks * bsize)]
    const isLow = free < (trouble ? least * hysteresis : least)
    if (isReported && isLow === (trouble !== null)) return
    const newTrouble = isLow
      ? `The disk is nearly full (${inGib(free)} free, ${inGib(least)} needed): telemetry is refused, edges keep it`
      : null
    // Writing stops at once, but resumes only after `onChange` has succeeded.
    trouble = newTrouble ?? trouble
    isReported = false
    await onChange(newTrouble)
    isReported = true
    trouble = newTrouble
  }

  await check()
  let timer: NodeJS.Timeout
  const scheduleNext = () => {
    if (isClosed) return
    // A failed check means nothing; the next one follows after `checkIntervalMs`.
    timer = setTimeout(() => (checking = check().then(scheduleNext, scheduleNext)), checkIntervalMs)
    timer.unref()
  }
  scheduleNext()
  return {
    trouble: () => trouble,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await checking
    },
  }
}

/** The upper limit keeps large disks usable: 5 % of 10 TB would be 500 GB. */
export const leastFree = (diskBytes: number): number => Math.min(Math.max(gibibyte, 0.05 * diskBytes), 10 * gibibyte)

const inGib = (bytes: number) => `${(bytes / gibibyte).toFixed(2)} GiB`
