import { Checkbox, TagsInput, TextInput } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addReport, changeReport, type Report, type ReportFormat } from '@gridmast/contract/people/reports.ts'
import {
  isDashboard,
  isOfFixedDays,
  type ReportInterval,
  reportIntervals,
  reportIntervalsOf,
} from '@gridmast/contract/people/report-sources.ts'
import type { CallFormOf } from '#lib/call-form.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { Note } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Select } from '#ui/Select.tsx'
import { reportTitle } from './report-titles.ts'

type Values = {
  name: string
  emails: string[]
  every: ReportInterval
  time: string
  format: ReportFormat
  skipEmpty: boolean
}

const wordsOf = { daily: 'Every day', weekly: 'Mondays', monthly: 'On the 1st of each month' } as const

type FieldsProps = { address: string; without?: string | undefined; of: CallFormOf<Values> }

const Fields = ({ address, without, of: { form, field, values } }: FieldsProps) => {
  const possible = reportIntervalsOf(address)
  const hasFixedDays = isOfFixedDays(address)
  const intervals = possible.length > 0 ? possible : reportIntervals
  const wrong = values.emails.flatMap((email, i) => {
    const why = form.errors[`emails.${i}`]
    return typeof why === 'string' ? [`${email}: ${why}`] : []
  })
  return (
    <>
      <TextInput label={t('Name')} data-autofocus {...field('name')} />
      <TagsInput
        label={t('Recipients')}
        description={t('Type or paste addresses, at most {{n}}; Enter, comma or space separates them.', {
          n: limits.emailsAtOnce,
        })}
        type="email"
        autoComplete="off"
        splitChars={[',', ';', ' ', '\n', '\t']}
        {...field('emails')}
        onChange={(emails) => {
          form.clearErrors()
          form.setFieldValue('emails', emails)
        }}
        onDuplicate={() => form.setFieldError('emails', translateText(m.emailTwice))}
        error={wrong.length > 0 ? wrong.join(' ') : form.errors['emails']}
      />
      <Select
        label={t('Schedule')}
        allowDeselect={false}
        data={intervals.map((value) => ({ value, label: t(wordsOf[value]) }))}
        {...field('every')}
        value={values.every}
        onChange={(every) => form.setFieldValue('every', intervals.find((one) => one === every) ?? 'daily')}
      />
      <TextInput label={t('Time')} type="time" {...field('time')} />
      <Segments
        label={t('File')}
        value={values.format}
        onChange={(format) => form.setFieldValue('format', format === 'pdf' ? 'pdf' : 'xlsx')}
        data={[
          { value: 'xlsx', label: 'Excel' },
          { value: 'pdf', label: 'PDF' },
        ]}
      />
      <Checkbox
        label={t('Skip the email when there is nothing to report')}
        {...form.getInputProps('skipEmpty', { type: 'checkbox' })}
      />
      {values.format === 'pdf' && (
        <Note>
          {t('Rows of a PDF: at most {{n}}. Charts are drawn above their table.', {
            n: isDashboard(address) ? limits.reportPartPdfRows : limits.reportPdfRows,
          })}
        </Note>
      )}
      {values.format === 'xlsx' && !hasFixedDays && (
        <Note>{t('The filters of the list are kept; its dates move with each report.')}</Note>
      )}
      {hasFixedDays && <Note>{t('The chosen days are the same in each report.')}</Note>}
      {without && <Note>{t('Not included: {{cards}}', { cards: without })}</Note>}
    </>
  )
}

const size = 520

type AddProps = { address: string | undefined; without: string | undefined; onClose: () => void }

export const AddReportDialog = ({ address, without, onClose }: AddProps) => {
  const { email } = useUser()
  const [every] = address === undefined ? [] : reportIntervalsOf(address)
  const initial: Values | null =
    every && address
      ? {
          name: reportTitle(address),
          emails: [email],
          every,
          time: '07:00',
          format: isDashboard(address) ? 'pdf' : 'xlsx',
          skipEmpty: false,
        }
      : null
  return (
    <CallFormDialog
      title={t('Send by email')}
      submit={t('Add report')}
      size={size}
      call={addReport}
      initial={initial}
      toBody={(values) => ({ ...values, address })}
      onClose={onClose}
    >
      {(of) => <Fields address={address ?? ''} without={without} of={of} />}
    </CallFormDialog>
  )
}

export const ChangeReportDialog = ({ report, onClose }: { report: Report | null; onClose: () => void }) => {
  const initial: Values | null = report && {
    name: report.name,
    emails: report.readers.map(({ email }) => email),
    every: report.every,
    time: report.time,
    format: report.format,
    skipEmpty: report.skipEmpty,
  }
  return (
    <CallFormDialog
      title={t('Edit report')}
      submit={t('Save report')}
      size={size}
      call={changeReport}
      request={{ params: { id: report?._id } }}
      initial={initial}
      onClose={onClose}
    >
      {(of) => <Fields address={report?.address ?? ''} of={of} />}
    </CallFormDialog>
  )
}
