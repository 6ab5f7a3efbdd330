import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { Menu, MenuItem } from './Menu.tsx'
import { Popover } from './Popover.tsx'

const button = <button type="button">Open</button>

test('Escape closes a popover and returns the focus to its button', async () => {
  await show(
    <Popover target={button} label="Help">
      <a href="#there">A link</a>
    </Popover>,
  )
  const target = page.getByRole('button', { name: 'Open' })
  await userEvent.click(target)
  await expect.element(page.getByRole('link', { name: 'A link' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('link', { name: 'A link' })).not.toBeInTheDocument()
  await expect.element(target).toHaveFocus()
})

test('Escape and a choice close a menu and return the focus to its button', async () => {
  await show(
    <Menu target={button}>
      <MenuItem>First</MenuItem>
      <MenuItem>Second</MenuItem>
    </Menu>,
  )
  const target = page.getByRole('button', { name: 'Open' })
  for (const close of ['{ArrowDown}{Escape}', '{Enter}']) {
    await userEvent.click(target)
    await expect.element(page.getByRole('menuitem', { name: 'First' })).toHaveFocus()
    await userEvent.keyboard(close)
    await expect.element(page.getByRole('menuitem', { name: 'First' })).not.toBeInTheDocument()
    await expect.element(target).toHaveFocus()
  }
})

test('Escape returns the focus to the button when the content changes on closing', async () => {
  const Changing = () => {
    const [isSecond, setSecond] = useState(false)
    return (
      <Popover target={button} label="Help" onChange={(opened) => !opened && setSecond(false)}>
        {isSecond ? (
          <a href="#second">Second</a>
        ) : (
          <button type="button" onClick={() => setSecond(true)}>
            First
          </button>
        )}
      </Popover>
    )
  }
  await show(<Changing />)
  const target = page.getByRole('button', { name: 'Open' })
  await userEvent.click(target)
  await userEvent.click(page.getByRole('button', { name: 'First' }))
  await userEvent.tab()
  await expect.element(page.getByRole('link', { name: 'Second' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('link', { name: 'Second' })).not.toBeInTheDocument()
  await expect.element(target).toHaveFocus()
  await userEvent.click(target)
  await expect.element(page.getByRole('button', { name: 'First' })).toBeVisible()
})
