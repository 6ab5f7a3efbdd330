import type { CallShape, Sent } from '@gridmast/contract/call.ts'
import { ApiError, pendingCalls, send } from './api.ts'
import { showToast } from './toast.ts'

const nameOf = (response: Response): string | null => {
  const header = response.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1]
  return encoded ? decodeURIComponent(encoded) : (/filename="?([^";]+)"?/i.exec(header)?.[1] ?? null)
}

export const saveFile = (blob: Blob, name: string) => {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Fetches a file with the token in the header, never in an address, and hands it to the browser. */
export const downloadCall = async <C extends CallShape>(
  call: C,
  sent: Sent<C>,
  fallbackName: string,
): Promise<void> => {
  pendingCalls.set(pendingCalls.get() + 1)
  try {
    const response = await send(call, sent)
    saveFile(await response.blob(), nameOf(response) ?? fallbackName)
  } catch (error) {
    showToast({
      kind: 'error',
      message: error instanceof ApiError ? error.message : 'The file could not be downloaded',
    })
  } finally {
    pendingCalls.set(pendingCalls.get() - 1)
  }
}
