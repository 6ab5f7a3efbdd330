import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { useState } from 'react'
import { useDo } from '#lib/query.ts'
import { useProgress } from './FileImport.tsx'

type Options<C extends CallShape> = {
  /** The call reports its progress under the `watch` id of its body. */
  isWatched?: boolean
  /** Body of the save, in addition to `save`. */
  bodyOf?: (preview: Data<C>) => object
  isSaved: (answer: Data<C>) => boolean
  onSaved: (answer: Data<C>) => void
}

/** A file that is sent twice: for a preview, and to be saved. A save that changed nothing is the next preview. */
export const useFileImport = <C extends CallShape>(call: C, { isWatched, bodyOf, isSaved, onSaved }: Options<C>) => {
  const [preview, setPreview] = useState<{ file: File; answer: Data<C> } | null>(null)
  const [isReviewed, setReviewed] = useState(false)
  const { mutate, isPending, error, cancel } = useDo(call, { fields: ['file'] })
  const { watch, progress } = useProgress(isPending)
  const send = (file: File, body: object, onSuccess: (answer: Data<C>) => void) =>
    mutate({ body: { ...body, ...(isWatched && { watch }) }, file } as Sent<C>, { onSuccess }) // the file is sent next to the body
  return {
    preview,
    isPending,
    error,
    progress,
    cancel,
    /** Whether the user has confirmed the warning of the preview. */
    isReviewed,
    setReviewed,
    /** With `columns` the same file again. */
    read: (file: File, columns?: object) => {
      setReviewed(false)
      if (!columns) setPreview(null)
      send(file, { save: false, ...(columns && { columns }) }, (answer) => setPreview({ file, answer }))
    },
    save: () => {
      if (!preview) return
      const { file, answer } = preview
      send(file, { save: true, ...bodyOf?.(answer) }, (next) =>
        isSaved(next) ? onSaved(next) : setPreview({ file, answer: next }),
      )
    },
    close: () => setPreview(null),
  }
}
