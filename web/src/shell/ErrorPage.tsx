import { Button } from '@mantine/core'
import { IconBug } from '@tabler/icons-react'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { reloadFor } from '#lib/missing-files.ts'
import { Notice } from './Notice.tsx'

/** For faults of the portal itself; read errors are shown in place of the data. */
export const ErrorPage = ({ error }: { error: unknown }) => {
  const [isReloading] = useState(() => reloadFor(error))
  if (isReloading) return null
  return (
    <Notice
      icon={<IconBug size={28} stroke={1.5} aria-hidden />}
      title={t('Something went wrong on this page')}
      actions={<Button onClick={() => location.reload()}>{t('Reload')}</Button>}
    >
      {error instanceof Error ? translateText(error.message) : null}
    </Notice>
  )
}
