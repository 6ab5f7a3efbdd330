import { Button } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Notice } from './Notice.tsx'

export const NotAuthorizedPage = () => {
  const { t } = useTranslation()
  return (
    <Notice
      icon={<IconLock size={28} stroke={1.5} aria-hidden />}
      title={t(m.notAuthorized)}
      actions={
        <Button component={Link} to="/" variant="default">
          {t('Home')}
        </Button>
      }
    >
      {t('Ask the administrator of your company for access.')}
    </Notice>
  )
}
