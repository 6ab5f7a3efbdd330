import { pino, type Logger } from 'pino'

export type Log = Logger

/** One JSON line an event, which says of which process it is; secrets never reach a line (security rule L5). */
export const openLog = (level: string, roles: readonly string[]): Log =>
  pino({
    level,
    base: { pid: process.pid, roles: roles.join(',') },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'password',
        '*.password',
        'token',
        '*.token',
        'authorization',
        'req.headers.authorization',
        'code',
        '*.otp',
      ],
      censor: '[redacted]',
    },
  })

/** For lines that strangers cause: so many a minute of the process, then one that counts the rest. */
export const boundedLines = (perMinute: number) => {
  let minute = 0
  let count = 0
  return (log: Pick<Log, 'info'>, nowMs: number, details: object, message: string): void => {
    const now = Math.floor(nowMs / 60_000)
    if (now !== minute) {
      if (count > perMinute) log.info({ more: count - perMinute }, message)
      minute = now
      count = 0
    }
    if (++count <= perMinute) log.info(details, message)
  }
}
