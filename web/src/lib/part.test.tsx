import { Suspense, useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { part } from './part.tsx'

const partOf = () => {
  const file = Promise.withResolvers<() => string>()
  return { file, Content: part(() => file.promise) }
}

test('a part shows the fallback until its file has loaded', async () => {
  const { file, Content } = partOf()
  await show(
    <Suspense fallback="Waiting">
      <Content />
    </Suspense>,
  )
  await expect.element(page.getByText('Waiting')).toBeVisible()
  file.resolve(() => 'Loaded')
  await expect.element(page.getByText('Loaded')).toBeVisible()
})

test('a part that is loaded ahead has no fallback, not even for a moment', async () => {
  const { file, Content } = partOf()
  file.resolve(() => 'Loaded')
  await Content.preload()
  let waits = 0
  const Waiting = () => {
    waits++
    return 'Waiting'
  }
  const Screen = () => {
    const [isOpen, setOpen] = useState(false)
    return isOpen ? (
      <Suspense fallback={<Waiting />}>
        <Content />
      </Suspense>
    ) : (
      <button onClick={() => setOpen(true)}>Open</button>
    )
  }
  await show(<Screen />)
  await userEvent.click(page.getByRole('button', { name: 'Open' }))
  await expect.element(page.getByText('Loaded')).toBeVisible()
  expect(waits).toBe(0)
})

test('a file that could not be loaded ahead is requested again', async () => {
  let requests = 0
  const Content = part(async () => {
    requests++
    if (requests === 1) throw new Error('no connection')
    return () => 'Loaded'
  })
  await Content.preload()
  await show(
    <Suspense>
      <Content />
    </Suspense>,
  )
  await expect.element(page.getByText('Loaded')).toBeVisible()
})
