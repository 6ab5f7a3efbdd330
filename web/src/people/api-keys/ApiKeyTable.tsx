import { Button } from '@mantine/core'
import { type ApiKey, findApiKeys, revokeApiKey } from '@gridmast/contract/people/api-keys.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { useCall } from '#lib/query.ts'
import type { Column } from '#ui/DataTable.tsx'
import { Row } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import classes from './ApiKeyTable.module.css'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { scopeName } from './scope-words.ts'

const isExpired = ({ expiresAt }: ApiKey, nowMs: number) => expiresAt !== null && Date.parse(expiresAt) <= nowMs

const useColumns = (onRevoke: (key: ApiKey) => void): Column<ApiKey>[] => {
  const now = useNow(60_000)
  return [
    {
      key: 'name',
      title: t('Name'),
      lead: true,
      sortBy: ({ name }) => name,
      cell: (key) => (
        <Row as="span" inline gap={8} weight="medium">
          {key.name}
          {isExpired(key, now) && <Tag kind="warn">{t('Expired')}</Tag>}
        </Row>
      ),
    },
    { key: 'ending', title: t('Key'), cell: ({ ending }) => <code className={classes.key}>····{ending}</code> },
    {
      key: 'scopes',
      title: t('May read'),
      cell: ({ scopes }) => (
        <span className={classes.scopes}>
          {scopes.map((scope) => (
            <Tag key={scope}>{translateText(scopeName(scope))}</Tag>
          ))}
        </span>
      ),
    },
    { key: 'by', title: t('Created by'), sortBy: ({ createdBy }) => createdBy, cell: ({ createdBy }) => createdBy },
    {
      key: 'created',
      title: t('Created'),
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => formatDate(Date.parse(createdAt)),
    },
    {
      key: 'expires',
      title: t('Expires'),
      sortBy: ({ expiresAt }) => expiresAt ?? '9',
      cell: ({ expiresAt }) => (expiresAt === null ? t('Never') : formatDate(Date.parse(expiresAt))),
    },
    {
      key: 'used',
      title: t('Last used'),
      sortBy: ({ lastUsedAt }) => lastUsedAt ?? '',
      digits: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? unknownText : formatDateTime(Date.parse(lastUsedAt))),
    },
    {
      key: 'actions',
      title: t('Actions'),
      corner: true,
      align: 'right',
      cell: (key) => (
        <Button
          variant="subtle"
          size="xs"
          aria-label={t('Revoke {{name}}', { name: key.name })}
          onClick={() => onRevoke(key)}
        >
          {t('Revoke')}
        </Button>
      ),
    },
  ]
}

export const ApiKeyTable = () => {
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
    <>
      <ListPanel
        title={t('API keys')}
        label={t('API keys')}
        tools={
          <Button ref={newKey} leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => setCreating(true)}>
            {t('New key')}
          </Button>
        }
        read={read}
        failed={t('The API keys could not be loaded.')}
        columns={columns}
        rows={read.data?.keys ?? []}
        rowKey={({ _id }) => _id}
        emptyReason={t('A key lets your program read data without your password.')}
      />
      <NewKeyDialog opened={creating} onClose={() => setCreating(false)} />
      {revokeDialog}
    </>
  )
}
