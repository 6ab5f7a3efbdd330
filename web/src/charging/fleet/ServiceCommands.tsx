import { Button, TextInput } from '@mantine/core'
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
import { Stack, Text } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'
import classes from './charge-fleet.module.css'

type Command = CallShape & { response: typeof resetCharger.response }
type Body<C extends CallShape> = Sent<C> extends { body: infer B } ? B : undefined

type RowProps<C extends Command> = {
  charger: ChargerService
  call: C
  title: string
  /** Null while a field is missing. */
  body: Body<C> | null
  action: string
  /** Confirmation before the command is sent. */
  question?: string | undefined
  children?: ReactNode
}

/** A command and the answer of the charger. */
const CommandRow = <C extends Command>({ charger, call, title, body, action, question, children }: RowProps<C>) => {
  const [confirming, setConfirming] = useState(false)
  const [answer, setAnswer] = useState<Data<typeof resetCharger> | null>(null)
  const doing = useDo<CallShape>(call)
  const send = () => {
    setAnswer(null)
    const sent = { params: { id: charger._id }, ...(body === undefined ? {} : { body }) }
    doing.mutate(sent, {
      onSuccess: (data) => setAnswer(data as Data<typeof resetCharger>), // all commands answer alike
      onSettled: () => setConfirming(false),
    })
  }
  return (
    <form
      className={classes.command}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        if (question) setConfirming(true)
        else send()
      }}
    >
      <Text as="b" weight="medium">
        {title}
      </Text>
      <span className={classes.inputs}>{children}</span>
      <Button
        type="submit"
        variant="default"
        disabled={!charger.isActive || body === null}
        loading={doing.isPending && !confirming}
      >
        {action}
      </Button>
      <Text role="status" ink={answer && !answer.accepted ? 'down' : 'up'}>
        {answer && chargerAnswer(answer.status)}
      </Text>
      <ConfirmDialog
        opened={confirming}
        title={`${title}?`}
        confirm={action}
        danger
        sending={doing.isPending}
        onClose={() => setConfirming(false)}
        onConfirm={send}
      >
        {question}
      </ConfirmDialog>
    </form>
  )
}

const wholeCharger = '0'

/** Each command is in the audit trail. */
export const ServiceCommands = ({ charger }: { charger: ChargerService }) => {
  const [kind, setKind] = useState<'soft' | 'hard'>('soft')
  const [unlock, setUnlock] = useState('1')
  const [place, setPlace] = useState(wholeCharger)
  const [operative, setOperative] = useState<'on' | 'off'>('off')
  const [message, setMessage] = useState<(typeof chargerMessages)[number]>('StatusNotification')
  const [firmware, setFirmware] = useState('')
  const [diagnostics, setDiagnostics] = useState('')
  const connectors = Array.from({ length: charger.connectors }, (_, i) => ({
    value: String(i + 1),
    label: t('Connector {{n}}', { n: i + 1 }),
  }))
  const places = [{ value: wholeCharger, label: t('Whole charger') }, ...connectors]
  const addressOf = (text: string) => (text.trim() === '' ? null : { location: text.trim() })
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
            ? t('The charger restarts at once; running sessions are interrupted.')
            : t('The charger ends its sessions and restarts.')
        }
      >
        <Select
          aria-label={t('Kind of restart')}
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
        title={t('Unlock connector')}
        action={t('Unlock')}
        body={{ connectorId: Number(unlock) }}
        question={t('A running session on this connector ends.')}
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
        question={operative === 'off' ? t('No charging is possible until it is back in service.') : undefined}
      >
        <Select
          aria-label={t('Connector or charger')}
          allowDeselect={false}
          data={places}
          value={place}
          onChange={(next) => setPlace(next ?? wholeCharger)}
        />
        <Select
          aria-label={t('Operation')}
          allowDeselect={false}
          data={[
            { value: 'on', label: t('In service') },
            { value: 'off', label: t('Out of service') },
          ]}
          value={operative}
          onChange={(next) => setOperative(next === 'on' ? 'on' : 'off')}
        />
      </CommandRow>
      <CommandRow
        {...shared}
        call={triggerCharger}
        title={t('Request message')}
        action={t('Send command')}
        body={{ message }}
      >
        <Select
          aria-label={t('Kind of message')}
          allowDeselect={false}
          data={[...chargerMessages]}
          value={message}
          onChange={(next) => setMessage(chargerMessages.find((one) => one === next) ?? 'StatusNotification')}
        />
      </CommandRow>
      <CommandRow
        {...shared}
        call={updateChargerFirmware}
        title={t('Update firmware')}
        action={t('Update')}
        body={addressOf(firmware)}
        question={t('The charger downloads and installs the file, then restarts.')}
      >
        <TextInput
          aria-label={t('Firmware address')}
          placeholder="https://"
          autoComplete="off"
          value={firmware}
          onChange={(event) => setFirmware(event.currentTarget.value)}
        />
      </CommandRow>
      <CommandRow
        {...shared}
        call={askChargerDiagnostics}
        title={t('Upload diagnostics')}
        action={t('Send command')}
        body={addressOf(diagnostics)}
      >
        <TextInput
          aria-label={t('Upload address')}
          placeholder="ftp://"
          autoComplete="off"
          value={diagnostics}
          onChange={(event) => setDiagnostics(event.currentTarget.value)}
        />
      </CommandRow>
      <CommandRow
        {...shared}
        call={clearChargerCache}
        title={t('Clear tag cache')}
        action={t('Clear')}
        body={undefined}
      />
    </Stack>
  )
}
