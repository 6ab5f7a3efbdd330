import { type ComponentType, type KeyboardEvent, useState } from 'react'
import { late } from '#lib/late.ts'

export type Early = {
  early: {
    onPointerDown: () => void
    onFocus: () => void
    onBlur: () => void
    onClick: () => void
    onKeyDown: (event: KeyboardEvent) => void
  }
}

/** A touch ends before its click. */
const clickMs = 300

const requests: (() => Promise<unknown>)[] = []

/**
 * A field whose file comes after the page is shown, because its popup is half of the page's weight. Until then `Closed` has its look; what the
 * user begins there, a focus, a click or a key that opens it, goes on in the field.
 */
export const lateField = <P extends { autoFocus?: boolean | undefined }>(
  load: () => Promise<ComponentType<P>>,
  Closed: ComponentType<P & Early>,
  clicked: Partial<P> = {},
): ComponentType<P> => {
  const file = late(async () => ({ Field: await load() }))
  requests.push(file.load)
  return (props: P) => {
    const loaded = file.useFile()
    const [begun, setBegun] = useState<Partial<P> & { autoFocus: true }>()
    // A click on a field that is replaced while the button is down would be lost.
    const [pressed, setPressed] = useState<AbortController>()
    if (loaded && !pressed) return <loaded.Field {...props} {...begun} />
    const begin = (next: Partial<P>) => {
      setBegun({ ...next, autoFocus: true })
      void file.load().catch(() => {})
    }
    const early = {
      onPointerDown: () => {
        const press = new AbortController()
        setPressed(press)
        const release = () => {
          press.abort()
          setTimeout(() => setPressed((latest) => (latest === press ? undefined : latest)), clickMs)
        }
        for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release, press)
      },
      onFocus: () => begin({}),
      onBlur: () => setBegun(undefined),
      onClick: () => {
        setPressed(undefined)
        begin(clicked)
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (!/^(Enter| |ArrowDown)$/.test(event.key)) return
        event.preventDefault()
        begin(clicked)
      },
    }
    return <Closed {...props} early={early} />
  }
}

/** The files of all such fields on the shown page. */
export const loadFields = () => Promise.all(requests.map((request) => request()))
