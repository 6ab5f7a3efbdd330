import { addApiKey } from '@gridmast/contract/people/api-keys.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useCallForm } from '#lib/call-form.ts'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { someKey } from '#testing/samples.ts'
import { Dialog } from './Dialog.tsx'
import { FormActions } from './FormParts.tsx'

const Form = ({ onClose }: { onClose: () => void }) => {
  const { field, formProps, sending } = useCallForm(addApiKey, {
    initial: { name: '', scopes: ['live.read' as const], expiresInDays: null, currentPassword: 'secret' },
    onDone: onClose,
  })
  return (
    <form {...formProps}>
      <TextInput label="Name" {...field('name')} />
      <FormActions onCancel={onClose} sending={sending}>
        Save
      </FormActions>
    </form>
  )
}
const Page = () => {
  const [opened, setOpened] = useState(true)
  return (
    <Dialog opened={opened} onClose={() => setOpened(false)} title="New key">
      <Form onClose={() => setOpened(false)} />
    </Dialog>
  )
}

const name = page.getByRole('textbox', { name: /Name/ })
const question = page.getByRole('dialog', { name: 'Leave without saving?' })
const press = (label: string) => page.getByRole('button', { name: label, exact: true }).click()

test.each([
  ['Cancel', () => press('Cancel')],
  ['the cross', () => press('Close')],
  ['Escape', () => userEvent.keyboard('{Escape}')],
])('%s over unsaved text requires a confirmation, and the typed text is kept', async (_, leave) => {
  await showAt('/here', <Page />)
  await name.fill('billing')
  await leave()
  await expect.element(question).toBeVisible()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(name).toHaveValue('billing')
  await leave()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('without typed text, or after saving it, it closes without a confirmation', async () => {
  answerCalls({ 'POST /client/api-key': () => ({ data: { key: someKey, token: 'gmk_only-shown-once-U9uQ' } }) })
  const { unmount } = await showAt('/here', <Page />)
  await press('Cancel')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  unmount()
  await showAt('/here', <Page />)
  await name.fill('billing')
  await press('Save')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('content that arrives in a dialog makes it longer, and does not move its title', async () => {
  const Growing = () => {
    const [rows, setRows] = useState(1)
    return (
      <Dialog opened onClose={() => {}} title="Log" size={640}>
        <button type="button" onClick={() => setRows(8)}>
          Read
        </button>
        <div style={{ height: rows * 40 }}>{rows} rows</div>
      </Dialog>
    )
  }
  await showAt('/here', <Growing />)
  const title = page.getByRole('heading', { name: 'Log' })
  await expect.element(title).toBeVisible()
  const topOf = () => title.element().getBoundingClientRect().top
  const before = topOf()
  await press('Read')
  await expect.element(page.getByText('8 rows')).toBeVisible()
  expect(topOf()).toBe(before)
})
