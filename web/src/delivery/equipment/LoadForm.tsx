import '#lib/zod.ts'
import { Button } from '@mantine/core'
import {
  controlEquipment,
  edgeVersionValue,
  type EquipmentCommand,
  manualSetPoint,
  isEdgeYes,
} from '@gridmast/contract/delivery/equipment.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { IconSend, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { digits } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { ConfirmDialog } from '#ui/useConfirm.tsx'
import { typedNumber } from '#lib/call-form.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Row, Text } from '#ui/Layout.tsx'
import classes from './equipment.module.css'

const { setPointMin, setPointMax, setPointStep } = limits
const steps = Array.from({ length: (setPointMax - setPointMin) / setPointStep + 1 }, (_, i) => i * setPointStep)

export type TestedInstance = {
  _id: string
  name: string
  /** Any signal of the instance. */
  signalId: string
}
export type TestedEdge = {
  _id: string
  /** The key, as its messages carry it. */
  name: string
  codeVersion: string | null
}
type Props = {
  instance: TestedInstance
  edge: TestedEdge
  command: EquipmentCommand | null
  onAnswered: (command: EquipmentCommand) => void
}

export const LoadForm = ({ instance, edge, command, onAnswered }: Props) => {
  const [typed, setTyped] = useState<number | string | undefined>()
  const [error, setError] = useState<string | null>(null)
  const [confirming, setConfirming] = useState<number | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const control = useDo(controlEquipment, { fields: ['profiles.0'] })
  const sending = control.pending[0]?.body.profiles[0] ?? null

  const refuse = (message: string) => {
    setError(translateText(message))
    field.current?.focus()
  }
  const choose = (value: number | string | undefined) => {
    setTyped(value)
    setError(null)
  }
  const send = (setPoint: number) => {
    setConfirming(null)
    const body = {
      profiles: [setPoint],
      edgeId: edge._id,
      groupId: instance._id,
      action: 'manual-control' as const,
      testType: 'control' as const,
      edgeVersionValue: edgeVersionValue(edge.codeVersion) ?? 0,
    }
    control.mutate(
      { body },
      {
        onSuccess: onAnswered,
        onError: ({ errors }) => errors['profiles.0'] && refuse(errors['profiles.0']),
      },
    )
  }
  const submit = () => {
    if (typed === undefined) return refuse(m.required)
    const parsed = manualSetPoint.safeParse(Number(typed))
    if (!parsed.success) return refuse(parsed.error.issues[0]?.message ?? m.notValid)
    // A release needs no confirmation.
    if (parsed.data === 0) send(0)
    else setConfirming(parsed.data)
  }
  return (
    <>
      <form
        noValidate
        aria-label={t('Load')}
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (sending === null) submit()
        }}
      >
        <DecimalField
          ref={field}
          label={t('Load (%)')}
          withAsterisk
          w={128}
          unit="%"
          decimals={0}
          initial={typed}
          error={error}
          data-autofocus
          onChange={(decimal) => choose(typedNumber(decimal))}
        />
        <Button type="submit" leftSection={<IconSend size={16} stroke={1.8} />} loading={sending !== null}>
          {t('Send')}
        </Button>
        <Row gap={4} className={classes.steps} role="group" aria-label={t('Load in steps of ten')}>
          {steps.map((step) => (
            <button key={step} type="button" aria-pressed={typed === step} onClick={() => choose(step)}>
              {step}
            </button>
          ))}
        </Row>
      </form>
      <Answer sending={sending} command={command} />
      <ConfirmDialog
        opened={confirming !== null}
        title={t('Send set point {{setPoint}} %?', { setPoint: confirming ?? 0 })}
        confirm={t('Send')}
        onConfirm={() => confirming !== null && send(confirming)}
        onClose={() => setConfirming(null)}
      >
        {t(
          '{{instance}} ({{edge}}) responds at once and holds until you send 0. After 30 minutes the edge releases the set point.',
          {
            instance: instance.name,
            edge: edge.name,
          },
        )}
      </ConfirmDialog>
    </>
  )
}

const Status = ({ children }: { children: ReactNode }) => (
  <Row gap={12} rowGap={4} ink="ink2" plate="sub" className={classes.status} role="status">
    {children}
  </Row>
)

type AnswerProps = { sending: number | null; command: EquipmentCommand | null }

const Answer = ({ sending, command }: AnswerProps) => {
  if (sending !== null)
    return (
      <Status>
        <IconSend size={16} stroke={1.8} aria-hidden />
        <span>
          {t('Set point {{setPoint}} % sent. Waiting for the edge, {{seconds}} s at most.', {
            setPoint: sending,
            seconds: limits.commandAnswerMs / 1000,
          })}
        </span>
      </Status>
    )
  if (!command?.status) return <Status>{t('No command has been sent.')}</Status>
  const { status, setPoint, detail, issuedAt, answeredAt } = command
  const tookMs = answeredAt ? Date.parse(answeredAt) - Date.parse(issuedAt) : null
  const Icon = isEdgeYes(status) ? IconCircleCheck : IconCircleX
  return (
    <Status>
      <Icon size={16} stroke={1.8} color={isEdgeYes(status) ? 'var(--gm-up)' : 'var(--gm-down)'} aria-hidden />
      <Text as="b" ink="ink1" weight="strong">
        {status === m.noResponseFromEdge ? translateText(status) : status}
      </Text>
      <span className="gm-num">
        {t('Set point {{setPoint}} %', { setPoint })}
        {detail && ` · ${detail}`}
        {tookMs !== null &&
          ` · ${t('answered by the edge in {{seconds}} s', { seconds: digits.seconds(tookMs / 1000) })}`}
      </span>
      <Text ink="ink2" size="small" end className="gm-num">
        {formatDateTime(Date.parse(answeredAt ?? issuedAt))}
      </Text>
      <Text size="small">
        <Link to="/audit" search={{ action: 'equipment' }} className="gm-link">
          {t('Audit trail')}
        </Link>
      </Text>
    </Status>
  )
}
