import { statfs } from 'node:fs/promises'

/** What the operator reads in health, log and System overview. */
export class DiskNearlyFull extends Error {}

type DiskGuard = {
  /** Null while there is room, else why nothing is written. */
  trouble: () => string | null
  close: () => Promise<void>
}

type Options = {
  folder: string
  /** Below this nothing is written; by default 5 % of the disk, at least 1 GiB and at most 10. */
  minFreeBytes?: number | undefined
  onChange: (trouble: string | null) => Promise<void>
}

const gibibyte = 2 ** 30
/** A disk that takes 1 GB/s still has three quarters of the smallest default left when it is seen to be full. */
const everyMs = 250
/** Room must have come back beyond the limit, so that a disk at the limit does not open and close with every merge. */
const backAgain = 1.1

/**
 * Stops all writing before the disk is full. A merge of the embedded engine that meets a full disk is committed as a part of empty files and
 * its sources are removed: samples that were acknowledged are gone (measured, chDB 3.4).
 */
export const guardDisk = async ({ folder, minFreeBytes, onChange }: Options): Promise<DiskGuard> => {
  let trouble: string | null = null
  let isTold = true
  let isClosed = false
  let looking = Promise.resolve()

  const look = async () => {
    const { bavail, blocks, bsize } = await statfs(folder)
    const [free, least] = [bavail * bsize, minFreeBytes ?? leastFree(blocks * bsize)]
    const isLow = free < (trouble ? least * backAgain : least)
    if (isTold && isLow === (trouble !== null)) return
    const found = isLow
      ? `The disk is nearly full (${inGib(free)} free, ${inGib(least)} needed): no telemetry is taken, edges keep it`
      : null
    // Closed at once; open again, or told again, only after what hangs on it has been done.
    trouble = found ?? trouble
    isTold = false
    await onChange(found)
    isTold = true
    trouble = found
  }

  await look()
  let timer: NodeJS.Timeout
  const again = () => {
    if (isClosed) return
    // A look that failed says nothing about the room; the next one is a quarter of a second away.
    timer = setTimeout(() => (looking = look().then(again, again)), everyMs)
    timer.unref()
  }
  again()
  return {
    trouble: () => trouble,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await looking
    },
  }
}

/** 5 % of a disk of 10 TB would be 500 GB that nobody may use. */
export const leastFree = (diskBytes: number): number => Math.min(Math.max(gibibyte, 0.05 * diskBytes), 10 * gibibyte)

const inGib = (bytes: number) => `${(bytes / gibibyte).toFixed(2)} GiB`
