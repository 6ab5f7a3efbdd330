import { Checkbox, TextInput } from '@mantine/core'
import {
  addEdge,
  addEdgeInstance,
  edgeAreas,
  type EdgeGateway,
  type EdgeSecret,
  instanceKinds,
  renewEdgeSecret,
} from '@gridmast/contract/delivery/edges.ts'
import { isMarket } from '@gridmast/contract/markets.ts'
import { shownMarkets } from '@gridmast/contract/screens.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { subjectOf, useUser } from '#lib/user.tsx'
import { CallForm, CallFormDialog } from '#ui/CallForm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Grid } from '#ui/Layout.tsx'
import { Code, OneTimeSecret, SecretDialog } from '#ui/OneTimeSecret.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { Select } from '#ui/Select.tsx'

const useCompanyAreas = () => {
  const { areas } = useUser().customerId
  const own = edgeAreas.filter((area) => areas.includes(area))
  return own.length > 0 ? own : [...edgeAreas]
}

const EdgeSecretStep = ({ secret: { key, secret }, onDone }: { secret: EdgeSecret; onDone: () => void }) => (
  <OneTimeSecret
    label={t('Secret of an edge gateway')}
    secret={secret}
    words={t('The edge gateway signs in with this secret. It is shown only once; if you lose it, create a new one.')}
    onDone={onDone}
  >
    <Code label={t('User name')} code={key} />
    <Code label={t('For the commands of the first message')} code={`export EDGE_SECRET=${secret}`} />
  </OneTimeSecret>
)

type NewProps = { opened: boolean; onClose: () => void; onAdded: (edgeId: string) => void }

export const NewEdgeDialog = ({ opened, onClose, onAdded }: NewProps) => (
  <SecretDialog<EdgeSecret>
    opened={opened}
    title={t('New edge gateway')}
    secretTitle={t('Secret of the edge gateway')}
    onClose={onClose}
    renderForm={(onSecret) => <NewEdgeForm onCancel={onClose} onSecret={onSecret} />}
    renderSecret={(secret) => (
      <EdgeSecretStep
        secret={secret}
        onDone={() => {
          onAdded(secret._id)
          onClose()
        }}
      />
    )}
  />
)

type NewFormProps = { onCancel: () => void; onSecret: (secret: EdgeSecret) => void }

const NewEdgeForm = ({ onCancel, onSecret }: NewFormProps) => {
  const areas = useCompanyAreas()
  const [only] = areas.length === 1 ? areas : []
  const initial: { name: string; area: string | null } = { name: '', area: only ?? null }
  return (
    <CallForm
      label={t('New edge gateway')}
      submit={t('Add edge gateway')}
      call={addEdge}
      initial={initial}
      onCancel={onCancel}
      onDone={onSecret}
    >
      {({ field }) => (
        <>
          <TextInput
            label={t('Name')}
            description={t('Where the edge gateway is installed, such as “cold store north”.')}
            autoComplete="off"
            data-autofocus
            {...field('name')}
          />
          <Select label={t('Area')} data={areas} {...field('area')} />
        </>
      )}
    </CallForm>
  )
}

/** Asks before the renewal, which ends open connections, and then shows the new secret. */
export const useRenewSecret = () => {
  const [secret, setSecret] = useState<EdgeSecret | null>(null)
  const [renew, confirmDialog] = useConfirm({
    call: renewEdgeSecret,
    sent: ({ _id }: EdgeGateway) => ({ params: { id: _id } }),
    title: t('Renew the secret?'),
    text: ({ name }) => t('{{name}} is disconnected at once and needs the new secret to connect again.', { name }),
    confirm: t('Renew secret'),
    danger: true,
    onDone: setSecret,
  })
  const dialogs = (
    <>
      {confirmDialog}
      <Dialog
        opened={secret !== null}
        onClose={() => setSecret(null)}
        size={560}
        title={t('Secret of the edge gateway')}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        {secret && <EdgeSecretStep secret={secret} onDone={() => setSecret(null)} />}
      </Dialog>
    </>
  )
  return [renew, dialogs] as const
}

const kindNames: Record<(typeof instanceKinds)[number], () => string> = {
  'cold-store': () => t('Cold store'),
  battery: () => t('Battery'),
  ev: () => t('Electric vehicles'),
  'heat-pump': () => t('Heat pump'),
  logistics: () => t('Logistics'),
  other: () => t('Other equipment'),
}

type InstanceForm = {
  name: string
  description: string
  area: string | null
  kind: string | null
  markets: string[]
  flexibleKw: string | number | undefined
}

type InstanceProps = { edge: EdgeGateway; opened: boolean; onClose: () => void }

export const NewInstanceDialog = ({ edge, opened, onClose }: InstanceProps) => {
  const markets = shownMarkets(subjectOf(useUser())).filter(isMarket)
  const areas = useCompanyAreas()
  const area = areas.find((one) => one === edge.area) ?? null
  const initial: InstanceForm = { name: '', description: '', area, kind: null, markets: [], flexibleKw: undefined }
  return (
    <CallFormDialog
      title={t('New instance')}
      submit={t('Add instance')}
      call={addEdgeInstance}
      request={{ params: { id: edge._id } }}
      initial={opened ? initial : null}
      onClose={onClose}
    >
      {({ field, number }) => (
        <>
          <TextInput
            label={t('Name')}
            description={t('A group of devices that is sold together, such as “compressors 1–4”.')}
            autoComplete="off"
            data-autofocus
            {...field('name')}
          />
          <TextInput label={t('Description')} autoComplete="off" {...field('description')} />
          <Select
            label={t('Type')}
            data={instanceKinds.map((kind) => ({ value: kind, label: kindNames[kind]() }))}
            {...field('kind')}
          />
          <Select label={t('Area')} data={areas} {...field('area')} />
          <DecimalField
            label={t('Flexible power')}
            description={t('The most that the instance can reduce, increase or store.')}
            unit="kW"
            decimals={3}
            {...number('flexibleKw')}
          />
          <Checkbox.Group
            label={t('Markets')}
            description={markets.length === 0 ? t('Your company has no license for a market yet.') : undefined}
            {...field('markets')}
            data-path={undefined}
          >
            <Grid columns={2} gap={8}>
              {markets.map((market, i) => (
                <Checkbox key={market} value={market} label={market} {...(i === 0 ? { 'data-path': 'markets' } : {})} />
              ))}
            </Grid>
          </Checkbox.Group>
        </>
      )}
    </CallFormDialog>
  )
}
