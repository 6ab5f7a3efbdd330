import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { Tag } from '#ui/Tag.tsx'

export const ResultTag = ({ result }: { result: string }) => {
  const { t } = useTranslation()
  if (result === 'ok')
    return (
      <Tag kind="up" icon={<IconCheck aria-hidden />}>
        {t('OK')}
      </Tag>
    )
  return (
    <Tag kind="down" icon={<IconX aria-hidden />}>
      {result === 'refused' ? t('Refused') : result}
    </Tag>
  )
}
