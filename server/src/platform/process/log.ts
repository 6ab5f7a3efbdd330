import { pino, type Logger, stdSerializers } from 'pino'

export type Log = Logger

/** The detail of a PostgreSQL error may contain the row. */
const errorFields = (error: unknown) => {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = stdSerializers.err(error)
  return { type, message, stack, ...('code' in error ? { code: error.code } : {}) }
}

/** One JSON line per event, with the roles of the process; secrets never reach a line (security rule L5). */
export const openLog = (level: string, roles: readonly string[]): Log =>
  pino({
    level,
    base: { pid: process.pid, roles: roles.join(',') },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFields },
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
