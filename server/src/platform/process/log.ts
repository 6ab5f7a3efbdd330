import { pino, type Logger } from 'pino'

export type Log = Logger

/** One JSON line per event, with the roles of the process; secrets never reach a line (security rule L5). */
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
