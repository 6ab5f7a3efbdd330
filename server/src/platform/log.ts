import { pino, type Logger } from 'pino'

export type Log = Logger

/** One JSON line an event; secrets never reach a line (security rule L5). */
export const openLog = (level: string): Log =>
  pino({
    level,
    base: undefined,
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
