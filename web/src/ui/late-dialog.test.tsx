import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { part } from '#lib/part.tsx'
import { show } from '#testing/render.tsx'
import { toasts } from '#testing/toasts.ts'
import { lateDialog } from './late-dialog.tsx'
import { PlainDialog } from './useConfirm.tsx'

test('a dialog without its file closes with a message, keeps the form, and opens when the file is there again', async () => {
  let isThere = false
  const Late = lateDialog<{ opened: boolean; onClose: () => void }>(
    async () => {
      if (!isThere) throw new TypeError('Failed to fetch dynamically imported module')
      return (props) => (
        <PlainDialog {...props} title="Late">
          content
        </PlainDialog>
      )
    },
    ({ opened }) => opened,
  )
  const Form = () => {
    const [opened, setOpened] = useState(false)
    return (
      <>
        <TextInput label="Name" />
        <Button onClick={() => setOpened(true)}>{opened ? 'Opened' : 'Open'}</Button>
        <Late opened={opened} onClose={() => setOpened(false)} />
      </>
    )
  }
  await show(<Form />)
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'Nordhavn')
  await userEvent.click(page.getByRole('button', { name: 'Open' }))
  await expect.poll(() => toasts).toEqual(['The dialog could not be loaded. Reload the page.'])
  await expect.element(page.getByRole('button', { name: 'Open', exact: true })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Nordhavn')
  isThere = true
  await userEvent.click(page.getByRole('button', { name: 'Open' }))
  await expect.element(page.getByRole('dialog', { name: 'Late' })).toBeVisible()
  expect(toasts).toHaveLength(1)
})

test('a dialog whose file arrives late returns the focus to its button, also after Tab in between', async () => {
  const file = Promise.withResolvers<void>()
  const Late = lateDialog<{ opened: boolean; onClose: () => void }>(
    async () => {
      await file.promise
      return (props) => (
        <PlainDialog {...props} title="Late">
          content
        </PlainDialog>
      )
    },
    ({ opened }) => opened,
  )
  const Page = () => {
    const [opened, setOpened] = useState(false)
    return (
      <>
        <Button onClick={() => setOpened(true)}>Open</Button>
        <TextInput label="Name" />
        <Late opened={opened} onClose={() => setOpened(false)} />
      </>
    )
  }
  // With transitions: without them Mantine remembers a button of the dialog itself.
  await show(<Page />, 'en', 'default')
  await userEvent.click(page.getByRole('button', { name: 'Open' }))
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  file.resolve()
  await expect.element(page.getByRole('dialog', { name: 'Late' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog', { name: 'Late' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus()
})

test('a dialog whose own file is there and the one of Mantine late returns the focus to its button, also after Tab in between', async () => {
  const file = Promise.withResolvers<void>()
  const Modal = part(async () => {
    await file.promise
    return (await import('./Modal.tsx')).default
  })
  const Page = () => {
    const [opened, setOpened] = useState(false)
    return (
      <>
        <Button onClick={() => setOpened(true)}>Delete</Button>
        <TextInput label="Name" />
        <PlainDialog opened={opened} title="Really?" onClose={() => setOpened(false)} frame={Modal}>
          content
        </PlainDialog>
      </>
    )
  }
  await show(<Page />, 'en', 'default')
  await userEvent.click(page.getByRole('button', { name: 'Delete' }))
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  expect(page.getByRole('dialog').elements()).toEqual([])
  file.resolve()
  await expect.element(page.getByRole('dialog', { name: 'Really?' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog', { name: 'Really?' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Delete' })).toHaveFocus()
})
