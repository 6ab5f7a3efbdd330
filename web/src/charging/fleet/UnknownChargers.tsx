import { TextInput, Button } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { registerCharger, dismissUnknownCharger, findUnknownChargers } from '@gridmast/contract/charging/chargers.ts'
import { chargingAreas } from '@gridmast/contract/charging/charging-costs.ts'
import { t } from '#lib/i18n.ts'
import { useUser, useCan } from '#lib/user.tsx'
import { CallForm } from '#ui/CallForm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { OneTimeSecret, Code, QrCode, SecretDialog } from '#ui/OneTimeSecret.tsx'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useCall, useDo } from '#lib/query.ts'
import { BelowList } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Select } from '#ui/Select.tsx'

export type NewSecret = Data<typeof registerCharger>

/** Where a charger connects, at the host that the portal is read from. */
const addressOf = (path: string, { protocol, host }: { protocol: string; host: string }): string =>
  `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${path}`

/** The address with identity and secret, as an installer's phone reads it. */
const withSecret = (address: string, { identity, secret }: Pick<NewSecret, 'identity' | 'secret'>): string => {
  const [scheme, rest] = address.split('://')
  return `${scheme}://${encodeURIComponent(identity)}:${encodeURIComponent(secret)}@${rest}`
}

type Props = {
  /** Empty: it is typed; null: the dialog is closed. */
  identity: string | null
  onClose: () => void
}

/** Registers a charger, or one from the list of unknown chargers; its secret is shown once. */
export const RegisterDialog = ({ identity, onClose }: Props) => (
  <SecretDialog<NewSecret>
    opened={identity !== null}
    title={identity ? t('Adopt {{identity}}', { identity }) : t('Register a charger')}
    secretTitle={t('The secret of the charger')}
    onClose={onClose}
    renderForm={(onSecret) => <RegisterForm identity={identity ?? ''} onCancel={onClose} onSecret={onSecret} />}
    renderSecret={(secret) => <ChargerSecret secret={secret} onDone={onClose} />}
  />
)

type SecretProps = { secret: NewSecret; onDone: () => void }

export const ChargerSecret = ({ secret: { path, identity, secret }, onDone }: SecretProps) => {
  const address = addressOf(path, window.location)
  return (
    <OneTimeSecret
      label={t('Secret')}
      secret={secret}
      words={t(
        'Enter the address, identity and secret in the charger. The secret is shown only once; if you lose it, create a new one.',
      )}
      onDone={onDone}
    >
      <Code label={t('Address of the central system')} code={address} />
      <Code label={t('Identity')} code={identity} />
      <QrCode text={withSecret(address, { identity, secret })} label={t('QR code with address, identity and secret')} />
    </OneTimeSecret>
  )
}

type FormProps = { identity: string; onCancel: () => void; onSecret: (secret: NewSecret) => void }

const RegisterForm = ({ identity, onCancel, onSecret }: FormProps) => {
  const { areas } = useUser().customerId
  const companyAreas = chargingAreas.filter((area) => areas.includes(area))
  const [only] = companyAreas.length === 1 ? companyAreas : []
  return (
    <CallForm
      label={t('Register a charger')}
      submit={identity ? t('Adopt') : t('Register')}
      call={registerCharger}
      initial={{ name: '', identity, description: '', chargerType: 'AC', connectors: 2, maxKw: 22, area: only }}
      onCancel={onCancel}
      onDone={onSecret}
    >
      {({ form, field, number, values }) => (
        <>
          <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} />
          <TextInput
            label={t('Identity')}
            description={t('The last part of the address that the charger connects to')}
            autoComplete="off"
            spellCheck={false}
            {...field('identity')}
            readOnly={identity !== ''}
          />
          <TextInput label={t('Description')} autoComplete="off" {...field('description')} />
          <Select label={t('Type')} allowDeselect={false} data={['AC', 'DC']} {...field('chargerType')} />
          <DecimalField label={t('Connectors')} decimals={0} {...number('connectors')} />
          <DecimalField label={t('Maximum power per connector')} unit="kW" decimals={3} {...number('maxKw')} />
          <Select
            label={t('Area')}
            description={t('The price area whose emission is used')}
            placeholder={t('Same as its price')}
            clearable
            data={companyAreas.length > 0 ? companyAreas : [...chargingAreas]}
            {...field('area')}
            value={values.area ?? null}
            onChange={(next) =>
              form.setFieldValue(
                'area',
                chargingAreas.find((area) => area === next),
              )
            }
          />
        </>
      )}
    </CallForm>
  )
}

const rereadMs = 15_000

type Unknown = { identity: string; firstSeen: string; lastSeen: string; tries: number }

const useColumns = (mayEdit: boolean, onAdopt: (identity: string) => void): Columns<Unknown> => {
  const dismissing = useDo(dismissUnknownCharger)
  return [
    column.text('identity', t('Identity'), ({ identity }) => identity, { card: 'lead', sort: true }),
    column.time('first', t('First seen'), ({ firstSeen }) => firstSeen, { sort: true }),
    column.time('last', t('Last seen'), ({ lastSeen }) => lastSeen, { sort: true }),
    column.number('tries', t('Tries'), ({ tries }) => tries, { sort: true }),
    mayEdit &&
      column.actions(t('Actions'), ({ identity }) => [
        { text: t('Adopt'), label: t('Adopt {{identity}}', { identity }), onClick: () => onAdopt(identity) },
        {
          text: t('Dismiss'),
          label: t('Dismiss {{identity}}', { identity }),
          loading: dismissing.pending.some(({ params }) => params.identity === identity),
          onClick: () => dismissing.mutate({ params: { identity } }),
        },
      ]),
  ]
}

/** Chargers that tried to connect and are not registered. */
export const UnknownChargers = ({ below }: { below?: ReactNode }) => {
  const mayEdit = useCan('charger.edit')
  const [adopting, setAdopting] = useState<string | null>(null)
  const read = useCall(findUnknownChargers, { refetchIntervalMs: rereadMs })
  const columns = useColumns(mayEdit, setAdopting)
  const path = read.data?.path
  return (
    <>
      <ListPanel
        title={t('Unknown chargers')}
        tools={
          mayEdit && (
            <Button leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => setAdopting('')}>
              {t('Register a charger')}
            </Button>
          )
        }
        query={read}
        failed={t('The unknown chargers could not be loaded.')}
        columns={columns}
        rows={read.data?.unknown}
        rowKey={({ identity }) => identity}
        emptyReason={
          path &&
          t('Chargers that connect to {{address}} are listed here.', { address: addressOf(path, window.location) })
        }
      />
      <BelowList isPending={read.isPending}>{below}</BelowList>
      {mayEdit && <RegisterDialog identity={adopting} onClose={() => setAdopting(null)} />}
    </>
  )
}
