import { type ReactNode, useState } from 'react'
import classes from './Root.module.css'
import { Button } from '@mantine/core'
import { IconBug, IconMapOff, IconFileOff, IconLicenseOff, IconLock, IconToggleLeft } from '@tabler/icons-react'
import { t, translateText } from '#lib/i18n.ts'
import { reloadFor } from '#lib/missing-files.ts'
import { Link, Navigate } from '@tanstack/react-router'
import { useNav } from './nav.ts'
import { m } from '@gridmast/contract/messages.ts'
import { useUser } from '#lib/user.tsx'
import type { Verdict, Gate } from './gate.ts'
import { useCurrentScreen } from './current-screen.ts'

const Notice = ({
  title,
  children,
  actions,
  icon,
}: {
  title: string
  children?: ReactNode
  actions?: ReactNode
  icon: ReactNode
}) => (
  <main className={classes.notice}>
    {icon}
    <h1>{title}</h1>
    {children && <p>{children}</p>}
    {actions && <div>{actions}</div>}
  </main>
)

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

export type Refused = Extract<Verdict, `${'not' | 'license'} ${string}`>

const pages = {
  'not authorized': { sentence: m.notAuthorized, icon: IconLock },
  'not enabled': { sentence: 'This feature is not enabled for your company', icon: IconToggleLeft },
  'license not active': { sentence: m.licenseNotActive, icon: IconLicenseOff },
  'license not found': { sentence: m.licenseNotFound, icon: IconFileOff },
} as const

export const RefusedPage = ({ reason }: { reason: Refused }) => {
  const { home } = useNav()
  const { email, userRole, customerId } = useUser()
  const { primaryContactEmail } = customerId.address
  const isAdministrator = userRole === 'sudoer' || email === primaryContactEmail
  const { sentence, icon: Icon } = pages[reason]
  return (
    <Notice
      icon={<Icon size={28} stroke={1.5} aria-hidden />}
      title={t(sentence)}
      actions={
        home && (
          <Button renderRoot={(props) => <Link {...home} {...props} />} variant="default">
            {t('Home')}
          </Button>
        )
      }
    >
      {isAdministrator
        ? t('Your operator decides what your company has. Ask your operator.')
        : t('Ask your company’s administrator for access.')}
      {primaryContactEmail && !isAdministrator && (
        <>
          {' '}
          <a className="gm-link" href={`mailto:${primaryContactEmail}`}>
            {primaryContactEmail}
          </a>
        </>
      )}
    </Notice>
  )
}

export const Gated = ({ gate, children }: { gate: Gate; children: ReactNode }) => {
  const { place } = useCurrentScreen()
  const verdict = gate(useUser(), place)
  if (verdict === 'open') return children
  return typeof verdict === 'object' ? <Navigate to={verdict.redirect} replace /> : <RefusedPage reason={verdict} />
}
