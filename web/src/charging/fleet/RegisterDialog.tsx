import { Select, TextInput } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { registerCharger } from '@gridmast/contract/charging/chargers.ts'
import { chargingAreas } from '@gridmast/contract/charging/charging-costs.ts'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { Code } from '#ui/Code.tsx'
import { DecimalField, typedNumber } from '#ui/DecimalField.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { Stack } from '#ui/Layout.tsx'
import { OneTimeSecret } from '#ui/OneTimeSecret.tsx'
import { QrCode } from '#ui/QrCode.tsx'
import { SecretDialog } from '#ui/SecretDialog.tsx'

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
    madeTitle={t('The secret of the charger')}
    onClose={onClose}
    renderForm={(onMade) => <RegisterForm identity={identity ?? ''} onCancel={onClose} onMade={onMade} />}
    renderMade={(made) => <SecretShown made={made} onDone={onClose} />}
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

const fields = ['name', 'identity', 'description', 'chargerType', 'connectors', 'maxKw', 'area']

type FormProps = { identity: string; onCancel: () => void; onMade: (made: MadeSecret) => void }

const RegisterForm = ({ identity, onCancel, onMade }: FormProps) => {
  const { areas } = useUser().customerId
  const own = chargingAreas.filter((area) => areas.includes(area))
  const [only] = own.length === 1 ? own : []
  const size: Record<'connectors' | 'maxKw', number | string | undefined> = { connectors: 2, maxKw: 22 }
  const initial = { name: '', identity, description: '', chargerType: 'AC', ...size, area: only }
  const { form, field, submit, sending, waitS } = useCallForm(registerCharger, {
    initial,
    fields,
    onDone: onMade,
  })
  const number = (path: 'connectors' | 'maxKw') => ({
    ...field(path),
    initial: form.values[path],
    onChange: (decimal: string | undefined) => form.setFieldValue(path, typedNumber(decimal)),
  })
  return (
    <form noValidate aria-label={t('Register a charger')} onSubmit={submit}>
      <Stack gap={16}>
        <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} />
        <TextInput
          label={t('Identity')}
          description={t('The last part of the address that the charger connects to')}
          autoComplete="off"
          spellCheck={false}
          {...field('identity')}
          readOnly={identity !== ''}
        />
        <TextInput label={t('Description')} autoComplete="off" {...field('description')} withAsterisk={false} />
        <Select label={t('Type')} allowDeselect={false} data={['AC', 'DC']} {...field('chargerType')} />
        <DecimalField label={t('Connectors')} decimals={0} {...number('connectors')} />
        <DecimalField label={t('Maximum power per connector')} unit="kW" decimals={3} {...number('maxKw')} />
        <Select
          label={t('Area')}
          description={t('The price area whose emission is used')}
          placeholder={t('Same as its price')}
          clearable
          data={own.length > 0 ? own : [...chargingAreas]}
          {...field('area')}
          value={form.values.area ?? null}
          onChange={(next) =>
            form.setFieldValue(
              'area',
              chargingAreas.find((area) => area === next),
            )
          }
          withAsterisk={false}
        />
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {identity ? t('Adopt') : t('Register')}
      </FormActions>
    </form>
  )
}
