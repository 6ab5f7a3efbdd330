import axe from 'axe-core'
import { expect } from 'vitest'

/** The rules that read colours: in the other colour scheme all others find the same. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** No fault that axe knows in all that is shown, popups and dialogs too. A component stands outside the landmarks and the title of its page. */
export const expectClean = async (which: 'all' | 'colours' = 'all') => {
  // Fading in, its colours are not its own yet. What waits for an answer pulses for ever.
  const fading = () =>
    document.getAnimations().filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)))
  await expect.poll(() => fading().length).toBe(0)
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    ...(which === 'colours' ? { runOnly: ofColours } : {}),
    rules: {
      region: { enabled: false },
      'empty-heading': { enabled: false },
      'page-has-heading-one': { enabled: false },
    },
  })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}
