import { Button } from '@mantine/core'
import { type ApiKey, findApiKeys, revokeApiKey } from '@gridmast/contract/people/api-keys.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { Lead, Page } from '#ui/Page.tsx'
import { useNow } from '#lib/clock.ts'
import { useCall } from '#lib/query.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Row } from '#ui/Layout.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import classes from './api-keys.module.css'
import { scopeName } from './scopes.ts'

const NewKeyDialog = lateDialog(
  async () => (await import('./NewKeyDialog.tsx')).NewKeyDialog,
  (props) => props.opened,
)

const isExpired = ({ expiresAt }: ApiKey, nowMs: number) => expiresAt !== null && Date.parse(expiresAt) <= nowMs

const useColumns = (onRevoke: (key: ApiKey) => void): Columns<ApiKey> => {
  const now = useNow(60_000)
  return [
    column.cell(
      'name',
      t('Name'),
      (key) => (
        <Row as="span" inline gap={8} weight="medium">
          {key.name}
          {isExpired(key, now) && <Tag kind="warn">{t('Expired')}</Tag>}
        </Row>
      ),
      { card: 'lead', sort: ({ name }) => name },
    ),
    column.cell('ending', t('Key'), ({ ending }) => <code>····{ending}</code>),
    column.cell('scopes', t('May read'), ({ scopes }) => (
      <Row as="span" inline gap={4} className={classes.scopes}>
        {scopes.map((scope) => (
          <Tag key={scope}>{translateText(scopeName(scope))}</Tag>
        ))}
      </Row>
    )),
    column.text('by', t('Created by'), ({ createdBy }) => createdBy, { sort: true }),
    column.date('created', t('Created'), ({ createdAt }) => createdAt, { sort: true }),
    column.text(
      'expires',
      t('Expires'),
      ({ expiresAt }) => (expiresAt === null ? t('Never') : formatDate(Date.parse(expiresAt))),
      { sort: ({ expiresAt }) => expiresAt ?? '9' },
    ),
    column.time('used', t('Last used'), ({ lastUsedAt }) => lastUsedAt, { sort: true }),
    column.figure(
      'actions',
      t('Actions'),
      (key) => (
        <Button
          variant="subtle"
          size="xs"
          aria-label={t('Revoke {{name}}', { name: key.name })}
          onClick={() => onRevoke(key)}
        >
          {t('Revoke')}
        </Button>
      ),
      { card: 'corner' },
    ),
  ]
}

const ApiKeys = () => {
  const read = useCall(findApiKeys, {})
  const [creating, setCreating] = useState(false)
  const newKey = useRef<HTMLButtonElement>(null)
  const [revoke, revokeDialog] = useConfirm({
    call: revokeApiKey,
    sent: ({ _id }: ApiKey) => ({ params: { keyId: _id } }),
    title: t('Revoke this API key?'),
    text: ({ name }) => t('Programs that use {{name}} lose access within a second. This cannot be undone.', { name }),
    confirm: t('Revoke'),
    danger: true,
    onDone: () => newKey.current?.focus(),
  })
  const columns = useColumns(revoke)
  return (
    <Page>
      <Lead>
        {t(
          'API keys let your own programs read data from this portal. A key is read-only and has at most the access of the user who created it.',
        )}{' '}
        <a className="gm-link" href="/api/docs" target="_blank" rel="noreferrer">
          {t('All calls')}
        </a>
      </Lead>
      <ListPanel
        title={t('API keys')}
        tools={
          <Button ref={newKey} leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => setCreating(true)}>
            {t('New key')}
          </Button>
        }
        query={read}
        failed={t('The API keys could not be loaded.')}
        columns={columns}
        rows={read.data?.keys}
        rowKey={({ _id }) => _id}
        emptyReason={t('A key lets your program read data without your password.')}
      />
      <NewKeyDialog opened={creating} onClose={() => setCreating(false)} />
      {revokeDialog}
    </Page>
  )
}

export default ApiKeys
