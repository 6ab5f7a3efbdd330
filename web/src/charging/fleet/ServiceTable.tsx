import {
  type ChargerService,
  findChargerServices,
  getChargerService,
  removeCharger,
  renewChargerSecret,
} from '@gridmast/contract/charging/chargers.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconTool } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { BelowList, LoadError, StaleBanner, Waiting } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Note, Row, Stack, Under } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { StatusDot } from '#ui/Tag.tsx'
import { ChargerLink } from './ChargerLink.tsx'
import { Button } from '@mantine/core'
import { useCan } from '#lib/user.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Segments } from '#ui/Segments.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { type NewSecret, ChargerSecret } from './UnknownChargers.tsx'
import { ServiceCommands } from './ServiceCommands.tsx'
import { ServiceConfiguration, ServiceFrames, ServiceLog } from './ServiceConfiguration.tsx'

const rereadMs = 30_000
const pageSize = 15

const Progress = ({ of }: { of: ChargerService['firmwareUpdate'] }) =>
  of && <Under>{`${of.status} · ${formatDateTime(Date.parse(of.at))}`}</Under>

const useColumns = (onServe: (charger: ChargerService) => void): Columns<ChargerService> => [
  column.cell('name', t('Charger'), ({ _id, name }) => <ChargerLink chargerId={_id} name={name} />, {
    card: 'lead',
    sort: ({ name }) => name,
  }),
  column.cell(
    'connection',
    t('Connection'),
    ({ isActive }) => (
      <Row as="span" inline gap={8} nowrap>
        <StatusDot status={isActive ? 'fresh' : 'off'} />
        {isActive ? t('Online') : t('Offline')}
      </Row>
    ),
    { card: 'corner', sort: ({ isActive }) => Number(isActive) },
  ),
  column.text('model', t('Model'), ({ vendor, model }) => [vendor, model].filter(Boolean).join(' ') || unknownText, {
    sort: true,
  }),
  column.text('version', t('Protocol'), ({ version }) => version?.replace('ocpp', 'OCPP '), { sort: true }),
  column.cell(
    'firmware',
    t('Firmware'),
    ({ firmware, firmwareUpdate }) => (
      <>
        {firmware ?? unknownText}
        <Progress of={firmwareUpdate} />
      </>
    ),
    { sort: ({ firmware }) => firmware ?? '' },
  ),
  column.number('profile', t('Security profile'), ({ securityProfile }) => securityProfile, { sort: true }),
  column.time('configuration', t('Configuration read'), ({ configurationRead }) => configurationRead, { sort: true }),
  column.number('deviations', t('Deviations'), ({ deviations }) => deviations, {
    hint: t('Protocol deviations'),
    sort: true,
  }),
  column.actions(t('Actions'), (charger) => [
    {
      icon: IconTool,
      text: t('Service'),
      label: t('Service {{name}}', { name: charger.name }),
      onClick: () => onServe(charger),
    },
  ]),
]

export const ServiceTable = ({ below }: { below?: ReactNode }) => {
  const read = useCall(findChargerServices, { refetchIntervalMs: rereadMs })
  const [serving, setServing] = useState<ChargerService | null>(null)
  const columns = useColumns(setServing)
  return (
    <>
      <ListPanel
        title={t('Firmware and configuration')}
        query={read}
        failed={t('The chargers could not be loaded.')}
        columns={columns}
        rows={read.data?.chargers}
        rowKey={({ _id }) => _id}
        pageSize={pageSize}
        emptyReason={t('Your company has no chargers yet.')}
      />
      <BelowList isPending={read.isPending}>{below}</BelowList>
      <ServiceDialog charger={serving} onClose={() => setServing(null)} />
    </>
  )
}

type Part = 'commands' | 'configuration' | 'log' | 'frames'
type Props = { charger: ChargerService | null; onClose: () => void }

const ServiceDialog = ({ charger, onClose }: Props) => (
  <Dialog opened={charger !== null} onClose={onClose} size={860} title={charger?.name ?? ''}>
    {charger && <Service key={charger._id} listed={charger} onDone={onClose} />}
  </Dialog>
)

const chargerRereadMs = 10_000

const Service = ({ listed, onDone }: { listed: ChargerService; onDone: () => void }) => {
  const mayCommand = useCan('charger.command')
  const mayFrames = useCan('charger.frames')
  const [part, setPart] = useState<Part>(mayCommand ? 'commands' : 'configuration')
  const read = useCall(getChargerService, { sent: { params: { id: listed._id } }, refetchIntervalMs: chargerRereadMs })
  const charger = read.data?.charger ?? listed
  const parts: { value: Part; label: string }[] = [
    ...(mayCommand ? [{ value: 'commands' as const, label: t('Commands') }] : []),
    { value: 'configuration', label: t('Configuration') },
    { value: 'log', label: t('Log') },
    ...(mayFrames ? [{ value: 'frames' as const, label: t('Raw messages') }] : []),
  ]
  return (
    <Stack gap={14}>
      <Note className="gm-meta">
        {[
          charger.identity,
          [charger.vendor, charger.model].filter(Boolean).join(' '),
          charger.version?.replace('ocpp', 'OCPP '),
          charger.firmware && t('firmware {{version}}', { version: charger.firmware }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Note>
      {!charger.isActive && (
        <StaleBanner title={t('Charger is offline')}>{t('Commands can be sent once it is online again.')}</StaleBanner>
      )}
      <Segments label={t('Parts')} value={part} onChange={setPart} data={parts} />
      <LoadError query={read} title={t('The charger could not be loaded.')} />
      {part === 'commands' && (
        <>
          <ServiceCommands charger={charger} />
          <NewSecret charger={charger} />
          <RemoveCharger charger={charger} onDone={onDone} />
        </>
      )}
      {part === 'frames' && <ServiceFrames chargerId={charger._id} />}
      {(part === 'configuration' || part === 'log') &&
        (read.data ? (
          part === 'log' ? (
            <ServiceLog service={read.data} />
          ) : (
            <ServiceConfiguration service={read.data} mayChange={mayCommand} />
          )
        ) : (
          read.isPending && <Waiting height={220} />
        ))}
    </Stack>
  )
}

/** The old secret works for another day, so that the charger can be given the new one. */
const NewSecret = ({ charger }: { charger: ChargerService }) => {
  const mayEdit = useCan('charger.edit')
  const [secret, setSecret] = useState<NewSecret | null>(null)
  const [renew, renewDialog] = useConfirm({
    call: renewChargerSecret,
    sent: () => ({ params: { id: charger._id } }),
    title: t('Create a new secret?'),
    text: t('The old secret works for another 24 hours.'),
    confirm: t('Create new secret'),
    onDone: setSecret,
  })
  if (!mayEdit) return null
  if (secret) return <ChargerSecret secret={secret} onDone={() => setSecret(null)} />
  return (
    <>
      <Button variant="default" style={{ justifySelf: 'start' }} onClick={() => renew()}>
        {t('Create new secret')}
      </Button>
      {renewDialog}
    </>
  )
}

/** For a charger that was registered by mistake; the server refuses it for one that has sessions. */
const RemoveCharger = ({ charger, onDone }: { charger: ChargerService; onDone: () => void }) => {
  const mayEdit = useCan('charger.edit')
  const [remove, removeDialog] = useConfirm({
    call: removeCharger,
    sent: () => ({ params: { id: charger._id } }),
    title: t('Remove this charger?'),
    text: t('Its secret stops working and its message log is deleted. A charger that has sessions cannot be removed.'),
    confirm: t('Remove charger'),
    danger: true,
    onDone,
  })
  if (!mayEdit) return null
  return (
    <>
      <Button variant="default" style={{ justifySelf: 'start' }} onClick={() => remove()}>
        {t('Remove charger')}
      </Button>
      {removeDialog}
    </>
  )
}
