import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { useNav } from './nav-context.ts'
import { Notice } from './Notice.tsx'

export const NotFoundPage = () => {
  const { home } = useNav()
  return (
    <Notice
      icon={<IconMapOff size={28} stroke={1.5} aria-hidden />}
      title={t('Page not found')}
      actions={
        <Button renderRoot={(props) => <Link {...(home ?? { to: '/' })} {...props} />} variant="default">
          {t('Home')}
        </Button>
      }
    >
      {t('There is no page at this address. It may have moved, or the address was cut off.')}
    </Notice>
  )
}
