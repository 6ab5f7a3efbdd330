import { Button } from '@mantine/core'
import { acceptPlan, endPlan, type PlanDetail } from '@gridmast/contract/planning/load-shifting.ts'
import { IconSend } from '@tabler/icons-react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useConfirm } from '#ui/useConfirm.tsx'
import { shortTime } from './plan-words.ts'
import classes from './load-shifting.module.css'

/** Accepts a plan, or ends one that is followed; both after a confirmation. */
export const FollowButtons = ({ plan, mayEdit }: { plan: PlanDetail; mayEdit: boolean }) => {
  const now = useNow(60_000)
  const params = { planId: plan._id }
  const isOver = plan.to !== null && Date.parse(plan.to) <= now
  const isFollowed = plan.accepted !== null && plan.ended === null
  const isOfChargers = plan.asked.kind === 'session'
  const until = { name: plan.target.name, at: shortTime(Date.parse(plan.to ?? '')) }
  const [accept, acceptDialog] = useConfirm({
    call: acceptPlan,
    sent: () => ({ params, body: { replace: plan.followed !== null } }),
    title: t('Follow this plan?'),
    text: (
      <>
        <p>
          {isOfChargers
            ? t('{{name}}: its chargers are limited quarter by quarter until {{at}}.', until)
            : t('{{name}}: its edge is told what to run quarter by quarter until {{at}}.', until)}
        </p>
        {plan.followed && (
          <p>{t('The plan of {{name}} that is followed now ends with it.', { name: plan.followed.name })}</p>
        )}
      </>
    ),
    confirm: plan.followed ? t('Replace and send') : t('Send'),
  })
  const [end, endDialog] = useConfirm({
    call: endPlan,
    sent: () => ({ params }),
    title: t('Stop following this plan?'),
    text: <p>{t('{{name}} returns to normal operation.', { name: plan.target.name })}</p>,
    confirm: t('End'),
  })
  if (!mayEdit || plan.ended || isOver) return <span />
  return (
    <div className={classes.acts}>
      {isFollowed ? (
        <Button variant="default" onClick={() => end()}>
          {t('Stop following')}
        </Button>
      ) : (
        <Button leftSection={<IconSend size={16} stroke={1.8} />} onClick={() => accept()}>
          {isOfChargers ? t('Send plan to chargers') : t('Send plan to the equipment')}
        </Button>
      )}
      {acceptDialog}
      {endDialog}
    </div>
  )
}
