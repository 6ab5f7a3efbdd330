import { type EquipmentCommand, isEdgeYes } from '@gridmast/contract/delivery/equipment.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconCircleCheck, IconCircleX, IconSend } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t, translateText } from '#lib/i18n.ts'
import { Text } from '#ui/Layout.tsx'
import classes from './equipment.module.css'

type Props = { sending: number | null; command: EquipmentCommand | null }

/** Where a command stands: on its way, or what the edge said to it and when. */
export const Answer = ({ sending, command }: Props) => {
  if (sending !== null)
    return (
      <div className={classes.answer} data-kind="sending" role="status">
        <IconSend size={16} stroke={1.8} aria-hidden />
        <span>
          {t('Set point {{setPoint}} % sent. Waiting for the edge, {{seconds}} s at most.', {
            setPoint: sending,
            seconds: limits.commandAnswerMs / 1000,
          })}
        </span>
      </div>
    )
  if (!command?.status)
    return (
      <div className={classes.answer} role="status">
        <span>{t('No command has been sent.')}</span>
      </div>
    )
  const { status, setPoint, detail, issuedAt, answeredAt } = command
  const tookMs = answeredAt ? Date.parse(answeredAt) - Date.parse(issuedAt) : null
  const Icon = isEdgeYes(status) ? IconCircleCheck : IconCircleX
  return (
    <div className={classes.answer} data-kind={isEdgeYes(status) ? 'taken' : 'refused'} role="status">
      <Icon size={16} stroke={1.8} aria-hidden />
      <b>{status === m.noResponseFromEdge ? translateText(status) : status}</b>
      <span className="gm-num">
        {t('Set point {{setPoint}} %', { setPoint })}
        {detail && ` · ${detail}`}
        {tookMs !== null &&
          ` · ${t('answered by the edge in {{seconds}} s', { seconds: formatNumber(tookMs / 1000, { decimals: 2 }) })}`}
      </span>
      <Text ink="ink2" size="small" end className="gm-num">
        {formatDateTime(Date.parse(answeredAt ?? issuedAt))}
      </Text>
      <Link to="/audit" search={{ action: 'equipment' }} className={classes.link}>
        {t('Audit trail')}
      </Link>
    </div>
  )
}
