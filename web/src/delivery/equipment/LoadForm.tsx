import { Button } from '@mantine/core'
import {
  controlEquipment,
  edgeVersionValue,
  type EquipmentCommand,
  manualSetPoint,
} from '@gridmast/contract/delivery/equipment.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { IconSend } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { ConfirmDialog } from '#ui/useConfirm.tsx'
import { typedNumber } from '#lib/call-form.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
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
  onAnswered: (command: EquipmentCommand) => void
  /** What is said below; gets the set point that is on its way. */
  children: (sending: number | null) => ReactNode
}

/** The load field: says what is wrong with it, asks once, and sends. */
export const LoadForm = ({ instance, edge, onAnswered, children }: Props) => {
  const [typed, setTyped] = useState<number | string | undefined>()
  const [error, setError] = useState<string | null>(null)
  const [asking, setAsking] = useState<number | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const doing = useDo(controlEquipment, { fields: ['profiles.0'] })
  const sending = doing.pending[0]?.body.profiles[0] ?? null

  const refuse = (message: string) => {
    setError(translateText(message))
    field.current?.focus()
  }
  const choose = (value: number | string | undefined) => {
    setTyped(value)
    setError(null)
  }
  const send = (setPoint: number) => {
    setAsking(null)
    const body = {
      profiles: [setPoint],
      edgeId: edge._id,
      groupId: instance._id,
      action: 'manual-control' as const,
      testType: 'control' as const,
      edgeVersionValue: edgeVersionValue(edge.codeVersion) ?? 0,
    }
    doing.mutate(
      { body },
      {
        onSuccess: onAnswered,
        onError: ({ errors }) => errors['profiles.0'] && refuse(errors['profiles.0']),
      },
    )
  }
  const submit = () => {
    if (typed === undefined) return refuse(m.required)
    const read = manualSetPoint.safeParse(Number(typed))
    if (!read.success) return refuse(read.error.issues[0]?.message ?? m.notValid)
    // A release needs no question: it gives the equipment back.
    if (read.data === 0) send(0)
    else setAsking(read.data)
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
        <div className={classes.steps} role="group" aria-label={t('Load in steps of ten')}>
          {steps.map((step) => (
            <button key={step} type="button" aria-pressed={typed === step} onClick={() => choose(step)}>
              {step}
            </button>
          ))}
        </div>
      </form>
      {children(sending)}
      <ConfirmDialog
        opened={asking !== null}
        title={t('Send set point {{setPoint}} %?', { setPoint: asking ?? 0 })}
        confirm={t('Send')}
        onConfirm={() => asking !== null && send(asking)}
        onClose={() => setAsking(null)}
      >
        {t(
          '{{instance}} ({{edge}}) moves at once, until you send 0. After 30 minutes the edge releases it by itself.',
          {
            instance: instance.name,
            edge: edge.name,
          },
        )}
      </ConfirmDialog>
    </>
  )
}
