import { type ComponentType, lazy, Suspense, useState } from 'react'

/** A dialog whose file is loaded when it first opens. */
export const lateDialog = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  isOpen: (props: P) => boolean,
): ComponentType<P> => {
  const Dialog = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P> // `lazy` drops the type of the props
  return (props) => {
    const [wasOpen, setWasOpen] = useState(isOpen(props))
    if (isOpen(props) && !wasOpen) setWasOpen(true)
    return (
      wasOpen && (
        <Suspense>
          <Dialog {...props} />
        </Suspense>
      )
    )
  }
}
