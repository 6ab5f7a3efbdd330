import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.resetModules()
})

const open = async (type: 'navigate' | 'reload') => {
  vi.resetModules()
  const [page, reload] = [new EventTarget(), vi.fn<() => void>()]
  vi.stubGlobal('window', page)
  vi.stubGlobal('location', { reload })
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as unknown as PerformanceEntry]) // the members that are read
  const files = await import('./missing-files.ts')
  files.followMissingFiles()
  const fail = () => {
    const payload = new TypeError('Failed to fetch dynamically imported module: /assets/Home-1.js')
    page.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }))
    return payload
  }
  return { ...files, fail, reload }
}

test('a hovered link reloads nothing; a page that cannot be shown does, after each update', async () => {
  for (const type of ['navigate', 'reload'] as const) {
    const { fail, notePage, reload, reloadFor } = await open(type)
    notePage()
    const error = fail()
    expect(reload).not.toHaveBeenCalled()
    expect(reloadFor(error)).toBe(true)
    expect(reload).toHaveBeenCalledOnce()
  }
})

test('a file that is missing after the reload too is reported, and so is any other fault', async () => {
  const { fail, notePage, reload, reloadFor } = await open('reload')
  expect(reloadFor(fail())).toBe(false)
  notePage()
  expect(reloadFor(new Error('no such thing'))).toBe(false)
  expect(reload).not.toHaveBeenCalled()
})
