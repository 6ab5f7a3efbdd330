import PQueue from 'p-queue'

/** So many works at a time in all, and one of each name: who brings many waits behind his own, and nobody else does. */
export const turnsOf = (lanes: number) => {
  const all = new PQueue({ concurrency: lanes })
  const own = new Map<string, PQueue>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = own.get(name) ?? new PQueue({ concurrency: 1 })
    own.set(name, turn)
    try {
      return await turn.add(() => all.add(work))
    } finally {
      if (turn.size + turn.pending === 0) own.delete(name)
    }
  }
}
