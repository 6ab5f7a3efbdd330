import type { AuditEntry } from '@gridmast/contract/people/audit.ts'
import { IconCheck, IconX } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { Tag } from '#ui/Tag.tsx'

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
