import { Button, Skeleton } from '@mantine/core'
import {
  type ChargerService,
  getChargerService,
  removeCharger,
  renewChargerSecret,
} from '@gridmast/contract/charging/chargers.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import { StaleBanner, LoadError } from '#ui/Loaded.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Segments } from '#ui/Segments.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { type MadeSecret, SecretShown } from './RegisterDialog.tsx'
import { ServiceCommands } from './ServiceCommands.tsx'
import { ServiceConfiguration } from './ServiceConfiguration.tsx'
import { ServiceFrames, ServiceLog } from './ServiceLog.tsx'
import classes from './service.module.css'

type Part = 'commands' | 'configuration' | 'log' | 'frames'
type Props = { charger: ChargerService | null; onClose: () => void }

/** One charger as a machine: what it can be asked, its settings, what it was asked before, and what it said. */
export const ServiceDialog = ({ charger, onClose }: Props) => (
  <Dialog opened={charger !== null} onClose={onClose} size={860} title={charger?.name ?? ''}>
    {charger && <Service key={charger._id} listed={charger} onDone={onClose} />}
  </Dialog>
)

const rereadMs = 10_000

const Service = ({ listed, onDone }: { listed: ChargerService; onDone: () => void }) => {
  const mayCommand = useCan('charger.command')
  const mayFrames = useCan('charger.frames')
  const [part, setPart] = useState<Part>(mayCommand ? 'commands' : 'configuration')
  const read = useCall(getChargerService, { sent: { params: { id: listed._id } }, refetchIntervalMs: rereadMs })
  const charger = read.data?.charger ?? listed
  const parts: { value: Part; label: string }[] = [
    ...(mayCommand ? [{ value: 'commands' as const, label: t('Commands') }] : []),
    { value: 'configuration', label: t('Configuration') },
    { value: 'log', label: t('Log') },
    ...(mayFrames ? [{ value: 'frames' as const, label: t('Raw messages') }] : []),
  ]
  return (
    <div className={classes.service}>
      <p className="gm-meta">
        {[
          charger.identity,
          [charger.vendor, charger.model].filter(Boolean).join(' '),
          charger.version?.replace('ocpp', 'OCPP '),
          charger.firmware && t('firmware {{version}}', { version: charger.firmware }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {!charger.isActive && (
        <StaleBanner title={t('Charger is offline')}>{t('It cannot be asked before it is back.')}</StaleBanner>
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
          read.isPending && (
            <div role="status" aria-label={t('Loading')}>
              <Skeleton height={220} animate={false} />
            </div>
          )
        ))}
    </div>
  )
}

/** The old secret works for another day, so that the charger can be given the new one. */
const NewSecret = ({ charger }: { charger: ChargerService }) => {
  const mayEdit = useCan('charger.edit')
  const [made, setMade] = useState<MadeSecret | null>(null)
  const [renew, renewDialog] = useConfirm({
    call: renewChargerSecret,
    sent: () => ({ params: { id: charger._id } }),
    title: t('Make a new secret?'),
    text: t('The old secret works for another 24 hours.'),
    confirm: t('Make a new secret'),
    onDone: setMade,
  })
  if (!mayEdit) return null
  if (made) return <SecretShown made={made} onDone={() => setMade(null)} />
  return (
    <>
      <Button variant="default" className={classes.secret ?? ''} onClick={() => renew()}>
        {t('Make a new secret')}
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
    confirm: t('Remove the charger'),
    danger: true,
    onDone,
  })
  if (!mayEdit) return null
  return (
    <>
      <Button variant="default" className={classes.secret ?? ''} onClick={() => remove()}>
        {t('Remove the charger')}
      </Button>
      {removeDialog}
    </>
  )
}
