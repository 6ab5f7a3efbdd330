import { type FirstStep, isPersonal, maySeeStep, stepNames } from '@gridmast/contract/people/first-step-gates.ts'
import { subjectOf, useUser } from '#lib/user.tsx'

/** The steps that the user may do, and whether one of the company is open; personal steps alone do not show the card. */
export const useFirstSteps = () => {
  const user = useUser()
  const steps = stepNames.filter((step) => maySeeStep(subjectOf(user), step))
  const open: readonly FirstStep[] = user.firstSteps.open
  return {
    steps,
    isOpen: steps.some((step) => open.includes(step) && !isPersonal(step)),
    isPersonalOpen: open.some(isPersonal),
    hidden: user.firstSteps.hidden,
  }
}
