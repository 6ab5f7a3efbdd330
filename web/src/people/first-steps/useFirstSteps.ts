import { type FirstStep, maySeeStep, stepNames } from '@gridmast/contract/people/first-step-gates.ts'
import { subjectOf, useUser } from '#lib/user.tsx'

/** The steps that the user may do, and whether one that the profile knows is open. */
export const useFirstSteps = () => {
  const user = useUser()
  const steps = stepNames.filter((step) => maySeeStep(subjectOf(user), step))
  const open: readonly FirstStep[] = user.firstSteps.open
  return { steps, isOpen: steps.some((step) => open.includes(step)), hidden: user.firstSteps.hidden }
}
