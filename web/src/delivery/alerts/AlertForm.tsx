import { Switch, TextInput } from '@mantine/core'
import {
  type Alert,
  type AlertForm as Values,
  createAlert,
  updateAlert,
  alertCriteria,
  alertTypes,
} from '@gridmast/contract/delivery/alerts.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { t } from '#lib/i18n.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { criteriaWords, typeWords, unitOf } from './alert-words.ts'
import { Grid } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'

type Draft = { alert: Omit<Values, 'value'> & { value: number | undefined } }

export type Group = { _id: string; name: string }

const empty = (email: string, group: string): Draft => ({
  alert: {
    name: '',
    criteria: 'gt',
    value: undefined,
    email,
    properties: {
      notification: true,
      group,
      type: 'power',
      startTime: '00:00',
      endTime: '23:59',
      alertInterval: limits.alertIntervalMinutes,
    },
  },
})

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

type Props = {
  licenceId: string
  email: string
  groups: readonly Group[]
  /** Chosen in a new alert. */
  instance?: string | undefined
  editing: Alert | 'new' | null
  onClose: () => void
}

export const AlertDialog = ({ licenceId, email, groups, instance, editing, onClose }: Props) => {
  const chosen = groups.find(({ _id }) => _id === instance) ?? groups[0]
  const alert = editing === 'new' ? null : editing
  return (
    <CallFormDialog
      title={t('Create Alerts')}
      label={alert ? t('Edit alert') : t('Create Alerts')}
      submit={alert ? t('Save changes') : t('Create alert')}
      size={640}
      call={alert ? updateAlert : createAlert}
      initial={editing && (alert ? draftOf(alert) : empty(email, chosen?._id ?? ''))}
      toBody={toBody}
      request={{ params: { id: alert?._id ?? licenceId } }}
      onClose={onClose}
    >
      {({ field, number, checkbox, values }) => (
        <Grid fit={240} gap={16} align="start">
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
          <DecimalField
            label={t('Threshold/Value')}
            unit={unitOf(values.alert.properties.type)}
            decimals={3}
            {...number('alert.value')}
          />
          <DecimalField
            label={t('Alert Interval')}
            description={t('Repeat every … min while active (0: once)')}
            unit="min"
            decimals={0}
            {...number('alert.properties.alertInterval')}
          />
          <TextInput label={t('Schedule Start')} placeholder={t('HH:mm')} {...field('alert.properties.startTime')} />
          <TextInput label={t('Schedule End')} placeholder={t('HH:mm')} {...field('alert.properties.endTime')} />
          <TextInput label={t('Email')} type="email" {...field('alert.email')} />
          <Switch
            withThumbIndicator={false}
            label={t('Notification')}
            description={t('Mail, webhook and bell. Off: only listed.')}
            {...checkbox('alert.properties.notification')}
          />
        </Grid>
      )}
    </CallFormDialog>
  )
}
