import { type ComponentType, useState } from 'react'
import { late } from '#lib/late.ts'

export type Early = { early: { onFocus: () => void; onBlur: () => void; onClick: () => void } }

const requests: (() => Promise<unknown>)[] = []

/**
 * A field whose file comes after the page is shown, because its popup is half of the page's weight. Until then `Closed` has its look; what the
 * user begins there, a focus or a click, goes on in the field.
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
    const [begun, setBegun] = useState<Partial<P>>()
    if (loaded) return <loaded.Field {...props} {...begun} {...(begun ? { autoFocus: true } : {})} />
    const early = {
      onFocus: () => setBegun({}),
      onBlur: () => setBegun(undefined),
      onClick: () => {
        setBegun(clicked)
        void file.load().catch(() => {})
      },
    }
    return <Closed {...props} early={early} />
  }
}

/** The files of all such fields on the shown page. */
export const loadFields = () => Promise.all(requests.map((request) => request()))
