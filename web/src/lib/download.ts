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

export type Watching = { signal?: AbortSignal; onBytes?: (bytes: number) => void }

/** The whole body, telling how much of it is there. */
const readBlob = (response: Response, onBytes: (bytes: number) => void): Promise<Blob> => {
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, next) => {
      onBytes((bytes += chunk.byteLength))
      next.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(counting) ?? null, { headers: response.headers }).blob()
}

/** Fetches a file with the token in the header, never in an address, and hands it to the browser. One that was cancelled says nothing. */
export const downloadCall = async <C extends CallShape>(
  call: C,
  sent: Sent<C>,
  fallbackName: string,
  { signal, onBytes = () => {} }: Watching = {},
): Promise<void> => {
  pendingCalls.set(pendingCalls.get() + 1)
  try {
    const response = await send(call, sent, signal)
    saveFile(await readBlob(response, onBytes), nameOf(response) ?? fallbackName)
  } catch (error) {
    if (signal?.aborted) return
    const [reason] = error instanceof ApiError ? [...Object.values(error.errors), error.message] : []
    showToast({ kind: 'error', message: reason ?? 'The file could not be downloaded' })
  } finally {
    pendingCalls.set(pendingCalls.get() - 1)
  }
}
