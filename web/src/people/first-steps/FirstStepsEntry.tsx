import { UnstyledButton } from '@mantine/core'
import { hideFirstSteps } from '@gridmast/contract/people/first-steps.ts'
import { IconListCheck, IconShieldLock } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'

/** Shows the hidden card again, in the profile menu. */
export const FirstStepsEntry = ({ className, onChoose }: { className: string; onChoose: () => void }) => {
  const showing = useDo(hideFirstSteps)
  const navigate = useNavigate()
  const show = () =>
    showing.mutate(
      { body: { hidden: false } },
      {
        onSuccess: () => {
          onChoose()
          void navigate({ to: '/' })
        },
      },
    )
  return (
    <UnstyledButton className={className} onClick={show} disabled={showing.isPending}>
      <IconListCheck size={16} stroke={1.8} aria-hidden />
      {t('First steps')}
    </UnstyledButton>
  )
}

/** The step of a user whose company has none left. */
export const PersonalStepEntry = ({ className, onChoose }: { className: string; onChoose: () => void }) => (
  <Link to="/security" className={className} onClick={onChoose}>
    <IconShieldLock size={16} stroke={1.8} aria-hidden />
    {t('Turn on two-step sign-in')}
  </Link>
)
