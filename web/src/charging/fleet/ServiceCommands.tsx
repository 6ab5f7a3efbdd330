import { Button, Select, TextInput } from '@mantine/core'
import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import {
  askChargerDiagnostics,
  chargerMessages,
  type ChargerService,
  clearChargerCache,
  resetCharger,
  setChargerAvailability,
  triggerCharger,
  unlockConnector,
  updateChargerFirmware,
} from '@gridmast/contract/charging/chargers.ts'
import { type ReactNode, useState } from 'react'
import { chargerAnswer } from '#ui/ConnectorState.tsx'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { ConfirmDialog } from '#ui/useConfirm.tsx'
import { Stack } from '#ui/Layout.tsx'
import classes from './charge-fleet.module.css'

type Command = CallShape & { response: typeof resetCharger.response }
type Body<C extends CallShape> = Sent<C> extends { body: infer B } ? B : undefined

type RowProps<C extends Command> = {
  charger: ChargerService
  call: C
  title: string
  /** What goes with it; null while something is missing. */
  body: Body<C> | null
  action: string
  /** What is lost; asked before it is sent. */
  question?: string | undefined
  children?: ReactNode
}

/** One thing that a charger can be asked to do, and its own answer. */
const CommandRow = <C extends Command>({ charger, call, title, body, action, question, children }: RowProps<C>) => {
  const [asking, setAsking] = useState(false)
  const [answer, setAnswer] = useState<Data<typeof resetCharger> | null>(null)
  const doing = useDo<CallShape>(call)
  const send = () => {
    setAnswer(null)
    const sent = { params: { id: charger._id }, ...(body === undefined ? {} : { body }) }
    doing.mutate(sent, {
      onSuccess: (said) => setAnswer(said as Data<typeof resetCharger>), // all commands answer alike
      onSettled: () => setAsking(false),
    })
  }
  return (
    <form
      className={classes.command}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        if (question) setAsking(true)
        else send()
      }}
    >
      <b>{title}</b>
      <span className={classes.inputs}>{children}</span>
      <Button
        type="submit"
        variant="default"
        disabled={!charger.isActive || body === null}
        loading={doing.isPending && !asking}
      >
        {action}
      </Button>
      <span role="status" className={answer && !answer.accepted ? classes.bad : classes.good}>
        {answer && chargerAnswer(answer.status)}
      </span>
      <ConfirmDialog
        opened={asking}
        title={`${title}?`}
        confirm={action}
        danger
        sending={doing.isPending}
        onClose={() => setAsking(false)}
        onConfirm={send}
      >
        {question}
      </ConfirmDialog>
    </form>
  )
}

const whole = '0'

/** What can be asked of a charger; each is in the audit trail. */
export const ServiceCommands = ({ charger }: { charger: ChargerService }) => {
  const [kind, setKind] = useState<'soft' | 'hard'>('soft')
  const [unlock, setUnlock] = useState('1')
  const [place, setPlace] = useState(whole)
  const [operative, setOperative] = useState<'on' | 'off'>('off')
  const [message, setMessage] = useState<(typeof chargerMessages)[number]>('StatusNotification')
  const [firmware, setFirmware] = useState('')
  const [diagnostics, setDiagnostics] = useState('')
  const connectors = Array.from({ length: charger.connectors }, (_, i) => ({
    value: String(i + 1),
    label: t('Connector {{n}}', { n: i + 1 }),
  }))
  const places = [{ value: whole, label: t('All of it') }, ...connectors]
  const addressOf = (typed: string) => (typed.trim() === '' ? null : { location: typed.trim() })
  const shared = { charger }
  return (
    <Stack>
      <CommandRow
        {...shared}
        call={resetCharger}
        title={t('Restart')}
        action={t('Restart')}
        body={{ kind }}
        question={
          kind === 'hard'
            ? t('It restarts at once, and sessions that run are cut off.')
            : t('It ends its sessions and restarts.')
        }
      >
        <Select
          aria-label={t('How it restarts')}
          allowDeselect={false}
          data={[
            { value: 'soft', label: t('Soft: ends sessions first') },
            { value: 'hard', label: t('Hard: at once') },
          ]}
          value={kind}
          onChange={(next) => setKind(next === 'hard' ? 'hard' : 'soft')}
        />
      </CommandRow>
      <CommandRow
        {...shared}
        call={unlockConnector}
        title={t('Unlock a cable')}
        action={t('Unlock')}
        body={{ connectorId: Number(unlock) }}
        question={t('A session that runs on this connector ends.')}
      >
        <Select
          aria-label={t('Connector to unlock')}
          allowDeselect={false}
          data={connectors}
          value={unlock}
          onChange={(next) => setUnlock(next ?? '1')}
        />
      </CommandRow>
      <CommandRow
        {...shared}
        call={setChargerAvailability}
        title={t('Availability')}
        action={t('Set')}
        body={{ connectorId: Number(place), operative: operative === 'on' }}
        question={operative === 'off' ? t('Nobody can charge there until it is taken back into service.') : undefined}
      >
        <Select
          aria-label={t('Of which connector')}
          allowDeselect={false}
          data={places}
          value={place}
          onChange={(next) => setPlace(next ?? whole)}
        />
        <Select
          aria-label={t('In or out of service')}
          allowDeselect={false}
          data={[
            { value: 'on', label: t('In service') },
            { value: 'off', label: t('Out of service') },
          ]}
          value={operative}
          onChange={(next) => setOperative(next === 'on' ? 'on' : 'off')}
        />
      </CommandRow>
      <CommandRow {...shared} call={triggerCharger} title={t('Ask for a message')} action={t('Ask')} body={{ message }}>
        <Select
          aria-label={t('Which message')}
          allowDeselect={false}
          data={[...chargerMessages]}
          value={message}
          onChange={(next) => setMessage(chargerMessages.find((one) => one === next) ?? 'StatusNotification')}
        />
      </CommandRow>
      <CommandRow
        {...shared}
        call={updateChargerFirmware}
        title={t('Update the firmware')}
        action={t('Update')}
        body={addressOf(firmware)}
        question={t('It fetches the file, installs it and restarts by itself.')}
      >
        <TextInput
          aria-label={t('Address of the firmware')}
          placeholder="https://"
          autoComplete="off"
          value={firmware}
          onChange={(event) => setFirmware(event.currentTarget.value)}
        />
      </CommandRow>
      <CommandRow
        {...shared}
        call={askChargerDiagnostics}
        title={t('Write diagnostics')}
        action={t('Ask')}
        body={addressOf(diagnostics)}
      >
        <TextInput
          aria-label={t('Where to write them')}
          placeholder="ftp://"
          autoComplete="off"
          value={diagnostics}
          onChange={(event) => setDiagnostics(event.currentTarget.value)}
        />
      </CommandRow>
      <CommandRow
        {...shared}
        call={clearChargerCache}
        title={t('Forget remembered tags')}
        action={t('Forget')}
        body={undefined}
      />
    </Stack>
  )
}
