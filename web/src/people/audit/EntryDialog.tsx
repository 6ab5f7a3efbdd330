import type { AuditEntry } from '@gridmast/contract/people/audit.ts'
import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconCheck, IconX } from '@tabler/icons-react'
import { t, translateText } from '#lib/i18n.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Facts, Note } from '#ui/Layout.tsx'
import { Tag } from '#ui/Tag.tsx'
import { actionWords, recordedText } from './audit-words.ts'
import { differencesOf, fieldWords } from './difference.ts'
import classes from './audit.module.css'

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const isDays = (value: unknown): value is { first: string; last: string } =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 2 &&
  'first' in value &&
  typeof value.first === 'string' &&
  'last' in value &&
  typeof value.last === 'string'

const Value = ({ value }: { value: unknown }) => {
  if (value === null || value === undefined || value === '') return unknownText
  if (typeof value === 'number') return formatNumber(value, { minDecimals: 0 })
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value === 'string') return instant.test(value) ? formatDateTime(Date.parse(value)) : recordedText(value)
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.length > 0 ? recordedText(value.join(', ')) : unknownText
  if (isDays(value)) return recordedText(`${value.first} to ${value.last}`)
  return <code>{JSON.stringify(value)}</code>
}

export const EntryDialog = ({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) => (
  <Dialog
    opened={entry !== null}
    onClose={onClose}
    size={640}
    title={entry ? translateText(actionWords(entry.action)) : ''}
  >
    {entry && <Entry entry={entry} />}
  </Dialog>
)

const Entry = ({ entry }: { entry: AuditEntry }) => {
  const differences = differencesOf(entry.before, entry.after)
  const facts: [string, React.ReactNode][] = [
    [t('Entry'), entry.entryNo],
    [t('Time'), formatDateTime(Date.parse(entry.at))],
    [t('Who'), entry.who],
    [t('Subject'), recordedText(entry.subject)],
    [t('Action'), translateText(actionWords(entry.action))],
    [t('Result'), <ResultTag key="result" entry={entry} />],
    [t('Request'), entry.requestId === null ? unknownText : <code key="request">{entry.requestId}</code>],
  ]
  return (
    <>
      <Facts facts={facts} layout="columns" />
      {differences.length === 0 ? (
        <Note>{t('No values were recorded.')}</Note>
      ) : (
        <table className={classes.differences}>
          <thead>
            <tr>
              <th scope="col">{t('Field')}</th>
              <th scope="col">{t('Before')}</th>
              <th scope="col">{t('After')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{field === '' ? t('Value') : translateText(fieldWords(field))}</th>
                <td data-old={after !== undefined || undefined}>
                  <Value value={before} />
                </td>
                <td>
                  <Value value={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

export const ResultTag = ({ entry: { result, answer } }: { entry: AuditEntry }) =>
  result === 'ok' ? (
    <Tag kind="up" icon={<IconCheck aria-hidden />}>
      {answer ?? t('OK')}
    </Tag>
  ) : (
    <Tag kind="down" icon={<IconX aria-hidden />}>
      {answer ?? t('Refused')}
    </Tag>
  )
