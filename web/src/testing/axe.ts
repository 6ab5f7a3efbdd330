import axe from 'axe-core'
import { expect } from 'vitest'

/** No fault that axe knows in all that is shown, popups and dialogs too. A component stands outside the landmarks and the title of its page. */
export const expectClean = async () => {
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    rules: {
      region: { enabled: false },
      'empty-heading': { enabled: false },
      'page-has-heading-one': { enabled: false },
    },
  })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}
