import axe from 'axe-core'
import { expect } from 'vitest'

/** Rules of colours; the other rules find the same in both colour schemes. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** No axe violation on the page, in popups and in dialogs. A component has no landmarks and no page title of its own. */
export const expectClean = async (which: 'all' | 'colours' = 'all') => {
  // During a fade-in the colours are wrong; a skeleton pulses without end.
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
