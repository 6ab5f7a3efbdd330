import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
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
