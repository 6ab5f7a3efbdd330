import { maySeeStep, stepNames } from '@gridmast/contract/people/first-step-gates.ts'
import { findFirstSteps, hideFirstSteps } from '@gridmast/contract/people/first-steps.ts'
import { findOpenSteps } from '#access/first-steps.ts'
import { ownRoute, route } from '#context.ts'
import { selectRows, updateRows } from '#platform/records/rows.ts'

/** Enough to find the first sample: a company with more signals has one. */
const maxSignals = 500

const find = route(findFirstSteps, async ({ app, viewer, own }) => {
  const { open, nos } = await own(async (tx, customerId) => ({
    open: new Set<string>(await findOpenSteps(tx, customerId)),
    nos: await selectRows(tx, customerId, 'signal').select('no').orderBy('no').limit(maxSignals).execute(),
  }))
  const latest = open.has('edge') ? new Map() : await app.readings.latest(nos.map(({ no }) => no))
  if (latest.size === 0) open.add('sample')
  const visible = stepNames.filter((step) => maySeeStep(viewer, step))
  return { steps: visible.map((step) => ({ step, done: !open.has(step) })) }
})

const hide = ownRoute(hideFirstSteps, async (tx, customerId, { viewer, body }) => {
  await updateRows(tx, customerId, 'app_user', { user_id: viewer.userId })
    .set({ first_steps_hidden: body.hidden })
    .execute()
})

export const firstSteps = [find, hide]
