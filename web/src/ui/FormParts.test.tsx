import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { SubmitButton } from './FormParts.tsx'

test('the spinner of a busy button is in its middle, also without transitions', async () => {
  await show(
    <SubmitButton sending waitS={0}>
      Save changes
    </SubmitButton>,
  )
  const button = page.getByRole('button').element()
  const spinner = button.querySelector('.mantine-Button-loader')
  const middle = (element: Element | null) => {
    const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
    return [Math.round(left + width / 2), Math.round(top + height / 2)]
  }
  expect(middle(spinner)).toEqual(middle(button))
})
