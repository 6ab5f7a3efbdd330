import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { oneOf, searchParams } from '#lib/search-params.ts'
import { useUrlState } from '#lib/url-state.ts'
import { showAt } from '#testing/render.tsx'
import { UnsavedChanges } from './Dialog.tsx'
import { TabPage } from './Page.tsx'

const Form = () => {
  const [text, setText] = useState('')
  return (
    <label>
      Name <input value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <UnsavedChanges unsaved={text !== ''} />
    </label>
  )
}

const tabSearch = searchParams({ tab: oneOf('form', 'list') })

const Screen = () => {
  const [{ tab }] = useUrlState(tabSearch)
  const tabs = [
    { name: 'form', title: 'Form', content: <Form /> },
    { name: 'list', title: 'List', content: 'Rows' },
  ] as const
  return <TabPage current={tab} tabs={tabs} />
}

const tab = (name: string) => page.getByRole('tab', { name })

test('another tab is marked, and a history entry; back returns to the first', async () => {
  const { router } = await showAt('/here', <Screen />)
  await userEvent.click(tab('List'))
  await expect.element(tab('List')).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByText('Rows')).toBeVisible()
  expect(router.state.location.href).toBe('/here?tab=list')
  router.history.back()
  await expect.element(tab('Form')).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByRole('textbox')).toBeVisible()
})

test('unsaved text of a tab stays until the question is answered with Leave', async () => {
  await showAt('/here', <Screen />)
  await userEvent.fill(page.getByRole('textbox'), 'Køl 1')
  await userEvent.click(tab('List'))
  await userEvent.click(page.getByRole('button', { name: 'Keep editing' }))
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(tab('Form')).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByRole('textbox')).toHaveValue('Køl 1')
  await userEvent.click(tab('List'))
  await userEvent.click(page.getByRole('button', { name: 'Leave' }))
  await expect.element(page.getByText('Rows')).toBeVisible()
})
