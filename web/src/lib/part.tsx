import { type ComponentType, lazy, useState } from 'react'

/**
 * A part of a page in a file of its own, for a `Suspense`. With `preload` it is rendered at once: a component of `React.lazy` first shows the
 * fallback, and React holds its content for up to 300 ms after any fallback.
 */
export const part = <P extends object>(read: () => Promise<ComponentType<P>>) => {
  let loaded: ComponentType<P> | undefined
  const load = async () => (loaded = await read())
  const Lazy: ComponentType<P> = lazy(async () => ({ default: await load() }))
  const Part = (props: P) => {
    const [Content] = useState(() => loaded ?? Lazy)
    return <Content {...props} />
  }
  /** A file that cannot be loaded ahead is requested again by its part. */
  const preload = () => load().catch(() => {})
  return Object.assign(Part, { preload })
}
