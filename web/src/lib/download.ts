import type { CallShape, Sent } from '@gridmast/contract/call.ts'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { ApiError, pendingCalls, send, urlOf } from './api.ts'
import { translateText } from './i18n.ts'
import { showToast } from './toast.ts'

/** Without `name` the file has the name that the server states. */
const followLink = (href: string, name = '') => {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}

export const saveFile = (blob: Blob, name: string) => {
  const url = URL.createObjectURL(blob)
  followLink(url, name)
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Downloads the file of a call by a link, after the server has answered a one-time cookie for it. False after a refusal. */
export const downloadCall = async <C extends CallShape>(call: C, sent: Sent<C>): Promise<boolean> => {
  pendingCalls.set(pendingCalls.get() + 1)
  try {
    if (!navigator.cookieEnabled) throw new ApiError(0, 'Downloads need cookies. Allow them for this portal.')
    await send(call, { ...sent, ticket: true })
    followLink(urlOf(call, sent))
    return true
  } catch (error) {
    const [reason] = error instanceof ApiError ? [...Object.values(error.errors), error.message] : []
    showToast({ kind: 'error', message: translateText(reason ?? 'The file could not be downloaded') })
    return false
  } finally {
    pendingCalls.set(pendingCalls.get() - 1)
  }
}

/** Downloads a file; `address` is the path and query of the call, for a report by email. */
export type FileExport = ((format: FileFormat) => Promise<unknown>) & { address?: string }

export const fileOf = <C extends CallShape>(call: C, sent: Sent<C>): FileExport => {
  const download = (format: FileFormat) => {
    const { query } = sent as { query?: object } // `Sent` of a type parameter has no known keys
    return downloadCall(call, { ...sent, query: { ...query, format } })
  }
  return call.method === 'GET' ? Object.assign(download, { address: urlOf(call, sent).slice('/api'.length) }) : download
}
