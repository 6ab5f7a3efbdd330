import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hourMs } from '@gridmast/contract/time.ts'
import { flush } from '#platform/process/data-folder.ts'
import { checkRun, type Run } from './writer.ts'

/** A write-ahead log for the readings: see write-ahead-log.md. */
export type WriteAheadLog = {
  /** Resolves when the runs are in the log on disk (fsync); the store receives them a second later. */
  append: (runs: readonly Run[]) => Promise<void>
  waits: (signalNos: readonly number[]) => boolean
  drain: () => Promise<void>
  /** Number of files that were unreadable, or that the store refused while it accepted others. */
  putAside: () => number
  close: () => Promise<void>
}

type Options = {
  folder: string
  insert: (runs: readonly Run[]) => Promise<void>
  onError: (error: unknown) => void
  everyMs?: number
}

/** Failed drains of a page, each `everyMs` apart, before other pages are tried first. */
const maxTries = 5

/** Limit in memory while the store is unavailable, about 100 MB; further runs are refused. */
const maxRuns = 500_000
const runsAtOnce = 20_000

type Line = [signalNo: number, t0Ms: number, dtMs: number, values: Run['values']]
const lineOf = ({ signalNo, t0Ms, dtMs, values }: Run) => `${JSON.stringify([signalNo, t0Ms, dtMs, values])}\n`
const runOf = (line: string): Run => {
  const [signalNo, t0Ms, dtMs, values] = JSON.parse(line) as Line // written by the line above
  const run = { signalNo, t0Ms, dtMs, values }
  checkRun(run)
  return run
}

const widestStepMs = hourMs

const follows = (last: Run, run: Run, stepMs: number): boolean =>
  stepMs > 0 &&
  stepMs <= widestStepMs &&
  run.t0Ms === last.t0Ms + stepMs * last.values.length &&
  (run.values.length === 1 || run.dtMs === stepMs)

/** Joins evenly spaced values of one series into one run, which costs the store as much as one value. The order per series is kept. */
const joined = (runs: readonly Run[]): Run[] => {
  const all: (Run & { values: (number | null)[] })[] = []
  const newest = new Map<number, (typeof all)[number]>()
  for (const run of runs) {
    const last = newest.get(run.signalNo)
    const stepMs = last ? (last.values.length === 1 ? run.t0Ms - last.t0Ms : last.dtMs) : 0
    if (last && follows(last, run, stepMs)) {
      last.dtMs = stepMs
      last.values.push(...run.values)
    } else {
      const begun = { ...run, values: [...run.values] }
      newest.set(run.signalNo, begun)
      all.push(begun)
    }
  }
  return all
}

type Page = { path: string; runs: Run[]; signalNos: Set<number>; tries?: number; triedAtMs?: number }
const pageName = /^\d+-\d+$/

/** Pages of a previous process, in order. The last line may be incomplete: it was never acknowledged. */
const readStoredPages = async ({ folder, onError }: Options): Promise<Page[]> => {
  const pages: Page[] = []
  for (const name of (await readdir(folder)).filter((one) => pageName.test(one)).toSorted()) {
    const path = join(folder, name)
    try {
      const runs = (await readFile(path, 'utf8')).split('\n').slice(0, -1).map(runOf)
      pages.push({ path, runs, signalNos: new Set(runs.map(({ signalNo }) => signalNo)) })
    } catch (error) {
      onError(error)
      await rename(path, `${path}.broken`)
    }
  }
  return pages
}

const inTurns = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}

export const openWriteAheadLog = async (options: Options): Promise<WriteAheadLog> => {
  const { folder, insert, onError, everyMs = 1000 } = options
  const store = async ({ path, runs }: Page) => {
    for (let from = 0; from < runs.length; from += runsAtOnce) await insert(joined(runs.slice(from, from + runsAtOnce)))
    await rm(path)
  }
  const storeByHalves = async (runs: readonly Run[]): Promise<readonly Run[]> => {
    try {
      await insert(joined(runs))
      return []
    } catch {
      if (runs.length === 1) return runs
      const half = Math.ceil(runs.length / 2)
      return [...(await storeByHalves(runs.slice(0, half))), ...(await storeByHalves(runs.slice(half)))]
    }
  }
  await mkdir(folder, { recursive: true })
  const [onFile, onStore] = [inTurns(), inTurns()]
  let queue: { runs: readonly Run[]; resolve: () => void; reject: (error: unknown) => void }[] = []
  let page: (Page & { file: FileHandle }) | undefined
  const full = await readStoredPages(options)
  let putAsideCount = (await readdir(folder)).filter((name) => /\.(broken|refused)$/.test(name)).length
  let unstoredRuns = full.reduce((sum, { runs }) => sum + runs.length, 0)
  let count = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const openPage = async () => {
    const path = join(folder, `${Date.now()}-${String(++count).padStart(9, '0')}`)
    const file = await open(path, 'ax')
    await flush(folder)
    return { path, file, runs: [], signalNos: new Set<number>() }
  }
  const turnPage = async () => {
    if (!page) return
    const { file, ...filled } = page
    page = undefined
    full.push(filled)
    await file.close()
  }
  const write = async () => {
    const group = queue
    queue = []
    try {
      const runs = group.flatMap((one) => one.runs)
      page ??= await openPage()
      await page.file.appendFile(runs.map(lineOf).join(''))
      await page.file.datasync()
      for (const run of runs) {
        page.runs.push(run)
        page.signalNos.add(run.signalNo)
      }
      unstoredRuns += runs.length
      timer ??= setTimeout(() => void drain().catch(onError), everyMs).unref()
      for (const { resolve } of group) resolve()
    } catch (error) {
      // After a failed write the end of the file is unknown.
      await turnPage().catch(onError)
      for (const { reject } of group) reject(error)
    }
  }
  const storeFirst = async () => {
    const [first] = full
    if (!first) return
    try {
      await store(first)
    } catch (error) {
      if (Date.now() - (first.triedAtMs ?? 0) >= everyMs) {
        first.tries = (first.tries ?? 0) + 1
        first.triedAtMs = Date.now()
      }
      const [, other] = full
      if ((first.tries ?? 0) < maxTries || !other) throw error
      // The store accepts another page, so this one is at fault.
      await store(other)
      forget(other)
      await refuse(first, error)
    }
    forget(first)
  }
  const forget = (stored: Page) => {
    unstoredRuns -= stored.runs.length
    full.splice(full.indexOf(stored), 1)
  }
  const refuse = async ({ path, runs }: Page, error: unknown) => {
    const refused = await storeByHalves(runs)
    if (refused.length > 0) {
      await writeFile(`${path}.refused`, refused.map(lineOf).join(''), { flush: true })
      await flush(folder)
      putAsideCount++
      onError(error)
    }
    await rm(path)
  }
  const drain = () =>
    onStore(async () => {
      clearTimeout(timer)
      timer = undefined
      await onFile(turnPage)
      try {
        while (full.length > 0) await storeFirst()
      } catch (error) {
        if (!isClosed) timer ??= setTimeout(() => void drain().catch(onError), everyMs).unref()
        throw error
      }
    })

  if (full.length > 0) await drain().catch(onError)
  return {
    append: (runs) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('The readings store is closed')
        if (unstoredRuns > maxRuns) throw new Error('The readings store has been unavailable for too long')
        for (const run of runs) checkRun(run)
        if (runs.length === 0) return resolve()
        queue.push({ runs, resolve, reject })
        if (queue.length === 1) void onFile(write)
      }),
    waits: (signalNos) => [...full, page].some((one) => one && signalNos.some((no) => one.signalNos.has(no))),
    drain,
    putAside: () => putAsideCount,
    close: async () => {
      isClosed = true
      await drain().catch(onError)
    },
  }
}
