import type { AuditEntry } from '@gridmast/contract/people/audit.ts'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { Tag } from '#ui/Tag.tsx'

export const ResultTag = ({ entry: { result, answer } }: { entry: AuditEntry }) => {
  const { t } = useTranslation()
  return result === 'ok' ? (
    <Tag kind="up" icon={<IconCheck aria-hidden />}>
      {answer ?? t('OK')}
    </Tag>
  ) : (
    <Tag kind="down" icon={<IconX aria-hidden />}>
      {answer ?? t('Refused')}
    </Tag>
  )
}
