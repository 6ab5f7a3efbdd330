import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

/** A file that is requested once a part of the page that uses it is shown; undefined until it has come. A failed request is repeated. */
export const late = <M>(load: () => Promise<M>) => {
  const store = createStore<M | undefined>(undefined)
  let loading: Promise<M> | undefined
  const request = () => {
    loading ??= load().then(
      (file) => {
        store.set(file)
        return file
      },
      (error) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  const useFile = () => {
    useEffect(() => void request().catch(() => {}), [])
    return useStore(store)
  }
  return { load: request, get: store.get, useFile }
}
