import { Select, Switch, TextInput } from '@mantine/core'
import { type Alert, type AlertForm as Values, createAlert, updateAlert } from '@gridmast/contract/delivery/alerts.ts'
import { alertCriteria, alertTypes } from '@gridmast/contract/delivery/alerts.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { DecimalField, typedNumber } from '#ui/DecimalField.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { criteriaWords, typeWords, unitOf } from './alert-words.ts'
import classes from './alerts.module.css'

const fields = [
  'alert.name',
  'alert.properties.group',
  'alert.properties.type',
  'alert.criteria',
  'alert.value',
  'alert.properties.alertInterval',
  'alert.properties.startTime',
  'alert.properties.endTime',
  'alert.email',
  'alert.properties.notification',
]

/** What a form holds while it is filled in: a number may be missing. */
type Draft = { alert: Omit<Values, 'value'> & { value: number | undefined } }

export type Group = { _id: string; name: string }

const empty = (email: string, groups: readonly Group[]): Draft => ({
  alert: {
    name: '',
    criteria: 'gt',
    value: undefined,
    email,
    properties: {
      notification: true,
      group: groups[0]?._id ?? '',
      type: 'power',
      startTime: '00:00',
      endTime: '23:59',
      alertInterval: limits.alertIntervalMinutes,
    },
  },
})

/** Left empty, start and end take their defaults. */
const toBody = ({ alert }: Draft) => {
  const { startTime, endTime, ...properties } = alert.properties
  return {
    alert: {
      ...alert,
      properties: { ...properties, ...(startTime ? { startTime } : {}), ...(endTime ? { endTime } : {}) },
    },
  }
}

const draftOf = ({ name, criteria, value, email, properties }: Alert): Draft => {
  const { groupName: _, ...rest } = properties
  return { alert: { name, criteria, value, email, properties: rest } }
}

type Form = Pick<
  ReturnType<typeof useCallForm<typeof createAlert, Draft>>,
  'form' | 'field' | 'submit' | 'sending' | 'waitS'
>
type FrameProps = { label: string; save: string; form: Form; groups: readonly Group[]; onCancel: () => void }

const Frame = ({ label, save, form: { form, field, submit, sending, waitS }, groups, onCancel }: FrameProps) => {
  const { type } = form.getValues().alert.properties
  const optional = (path: string) => ({ ...field(path), withAsterisk: false })
  const number = (path: string) => {
    const { value, onChange, ...props } = field(path)
    return {
      ...props,
      initial: value as number | undefined, // the form's values are numbers
      onChange: (decimal: string | undefined) => onChange(typedNumber(decimal)),
    }
  }
  const { value: notification, withAsterisk: _, ...notificationField } = field('alert.properties.notification')
  return (
    <form noValidate aria-label={label} onSubmit={submit}>
      <div className={classes.form}>
        <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('alert.name')} />
        <Select
          label={t('Instance')}
          allowDeselect={false}
          data={groups.map(({ _id, name }) => ({ value: _id, label: name }))}
          {...field('alert.properties.group')}
        />
        <Select
          label={t('Type')}
          allowDeselect={false}
          data={alertTypes.map((value) => ({ value, label: t(typeWords[value]) }))}
          {...field('alert.properties.type')}
        />
        <Select
          label={t('Criteria')}
          allowDeselect={false}
          data={alertCriteria.map((value) => ({ value, label: t(criteriaWords[value]) }))}
          {...field('alert.criteria')}
        />
        <DecimalField label={t('Threshold/Value')} unit={unitOf(type)} decimals={3} {...number('alert.value')} />
        <DecimalField
          label={t('Alert Interval')}
          description={t('Repeat every … min while active (0: once)')}
          unit="min"
          decimals={0}
          {...number('alert.properties.alertInterval')}
        />
        <TextInput label={t('Schedule Start')} placeholder={t('HH:mm')} {...optional('alert.properties.startTime')} />
        <TextInput label={t('Schedule End')} placeholder={t('HH:mm')} {...optional('alert.properties.endTime')} />
        <TextInput label={t('Email')} type="email" {...field('alert.email')} />
        <Switch
          withThumbIndicator={false}
          label={t('Notification')}
          description={t('Mail, webhook and bell. Off: only listed.')}
          {...notificationField}
          checked={notification === true}
        />
      </div>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {save}
      </FormActions>
    </form>
  )
}

type CreateProps = {
  licenceId: string
  email: string
  groups: readonly Group[]
  onCancel: () => void
  onDone: () => void
}

export const CreateAlertForm = ({ licenceId, email, groups, onCancel, onDone }: CreateProps) => {
  const beside = () => ({ params: { id: licenceId } })
  const form = useCallForm(createAlert, {
    initial: empty(email, groups),
    fields,
    toBody,
    beside,
    onDone,
  })
  return <Frame label={t('Create Alerts')} save={t('Create alert')} form={form} groups={groups} onCancel={onCancel} />
}

type EditProps = { alert: Alert; groups: readonly Group[]; onCancel: () => void; onDone: () => void }

export const EditAlertForm = ({ alert, groups, onCancel, onDone }: EditProps) => {
  const beside = () => ({ params: { id: alert._id } })
  const form = useCallForm(updateAlert, { initial: draftOf(alert), fields, toBody, beside, onDone })
  return <Frame label={t('Edit alert')} save={t('Save changes')} form={form} groups={groups} onCancel={onCancel} />
}
