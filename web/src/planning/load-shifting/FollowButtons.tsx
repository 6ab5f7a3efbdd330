import { Button } from '@mantine/core'
import { acceptPlan, endPlan, type PlanDetail } from '@gridmast/contract/planning/load-shifting.ts'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { shortTime } from './plan-words.ts'
import classes from './load-shifting.module.css'

/** Accepts a plan after a question, or ends one that is followed. */
export const FollowButtons = ({ plan, mayEdit }: { plan: PlanDetail; mayEdit: boolean }) => {
  const now = useNow(60_000)
  const [asking, setAsking] = useState<'accept' | 'end' | null>(null)
  const accept = useDo(acceptPlan)
  const end = useDo(endPlan)
  const params = { planId: plan._id }
  const close = () => setAsking(null)
  const isOver = plan.to !== null && Date.parse(plan.to) <= now
  const isFollowed = plan.accepted !== null && plan.ended === null
  if (!mayEdit || plan.ended || isOver) return <span />
  const isOfChargers = plan.asked.kind === 'session'
  return (
    <div className={classes.acts}>
      {isFollowed ? (
        <Button variant="default" onClick={() => setAsking('end')}>
          {t('Stop following')}
        </Button>
      ) : (
        <Button leftSection={<IconSend size={16} stroke={1.8} />} onClick={() => setAsking('accept')}>
          {isOfChargers ? t('Send plan to chargers') : t('Send plan to the equipment')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking === 'accept'}
        title={t('Follow this plan?')}
        confirm={plan.followed ? t('Replace and send') : t('Send')}
        sending={accept.isPending}
        onConfirm={() => accept.mutate({ params, body: { replace: plan.followed !== null } }, { onSettled: close })}
        onClose={close}
      >
        <p>
          {isOfChargers
            ? t('{{name}}: its chargers are limited quarter by quarter until {{at}}.', {
                name: plan.target.name,
                at: shortTime(Date.parse(plan.to ?? '')),
              })
            : t('{{name}}: its edge is told what to run quarter by quarter until {{at}}.', {
                name: plan.target.name,
                at: shortTime(Date.parse(plan.to ?? '')),
              })}
        </p>
        {plan.followed && (
          <p>{t('The plan of {{name}} that is followed now ends with it.', { name: plan.followed.name })}</p>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'end'}
        title={t('Stop following this plan?')}
        confirm={t('End')}
        sending={end.isPending}
        onConfirm={() => end.mutate({ params }, { onSettled: close })}
        onClose={close}
      >
        <p>{t('{{name}} returns to normal operation.', { name: plan.target.name })}</p>
      </ConfirmDialog>
    </div>
  )
}
