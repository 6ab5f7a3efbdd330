import { Select, TextInput } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { registerCharger } from '@gridmast/contract/charging/chargers.ts'
import { chargingAreas } from '@gridmast/contract/charging/charging-costs.ts'
import { t } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { CallForm } from '#ui/CallForm.tsx'
import { Code, OneTimeSecret, SecretDialog, QrCode } from '#ui/OneTimeSecret.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'

export type MadeSecret = Data<typeof registerCharger>

/** Where a charger connects, at the host that the portal is read from. */
export const addressOf = (path: string, { protocol, host }: { protocol: string; host: string }): string =>
  `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${path}`

/** The address with identity and secret, as an installer's phone reads it. */
const withSecret = (address: string, { identity, secret }: MadeSecret): string => {
  const [scheme, rest] = address.split('://')
  return `${scheme}://${encodeURIComponent(identity)}:${encodeURIComponent(secret)}@${rest}`
}

type Props = {
  /** What the charger calls itself; empty where that is typed. Nothing is open without it. */
  identity: string | null
  onClose: () => void
}

/** A charger is registered, or one that knocked is adopted; its secret is shown this once. */
export const RegisterDialog = ({ identity, onClose }: Props) => (
  <SecretDialog<MadeSecret>
    opened={identity !== null}
    title={identity ? t('Adopt {{identity}}', { identity }) : t('Register a charger')}
    secretTitle={t('The secret of the charger')}
    onClose={onClose}
    renderForm={(onMade) => <RegisterForm identity={identity ?? ''} onCancel={onClose} onMade={onMade} />}
    renderSecret={(made) => <SecretShown made={made} onDone={onClose} />}
  />
)

/** Address, identity and secret, to be copied or scanned this once. */
export const SecretShown = ({ made, onDone }: { made: MadeSecret; onDone: () => void }) => {
  const address = addressOf(made.path, window.location)
  return (
    <OneTimeSecret
      label={t('Secret')}
      secret={made.secret}
      words={t(
        'Enter the address, the identity and the secret in the charger. The secret is shown only once: if you lose it, make a new one.',
      )}
      onDone={onDone}
    >
      <Code label={t('Address of the central system')} code={address} />
      <Code label={t('Identity')} code={made.identity} />
      <QrCode text={withSecret(address, made)} label={t('QR code with address, identity and secret')} />
    </OneTimeSecret>
  )
}

type FormProps = { identity: string; onCancel: () => void; onMade: (made: MadeSecret) => void }

const RegisterForm = ({ identity, onCancel, onMade }: FormProps) => {
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
      onDone={onMade}
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
