import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { Tag } from '#ui/Tag.tsx'

/** What edges say that did as told. */
const taken = new Set(['APPLIED', 'ACCEPTED'])

export const ResultTag = ({ result }: { result: string }) => {
  const { t } = useTranslation()
  if (result === 'ok' || taken.has(result))
    return (
      <Tag kind="up" icon={<IconCheck aria-hidden />}>
        {result === 'ok' ? t('OK') : result}
      </Tag>
    )
  return (
    <Tag kind="down" icon={<IconX aria-hidden />}>
      {result === 'refused' ? t('Refused') : result}
    </Tag>
  )
}
