import { type ReactNode, useState } from 'react'
import { Button } from '@mantine/core'
import {
  type Icon,
  IconBug,
  IconMapOff,
  IconFileOff,
  IconLicenseOff,
  IconLock,
  IconToggleLeft,
} from '@tabler/icons-react'
import { Link, type LinkProps, Navigate } from '@tanstack/react-router'
import { m } from '@gridmast/contract/messages.ts'
import { t, translateText } from '#lib/i18n.ts'
import { reloadFor } from '#lib/missing-files.ts'
import { useUser } from '#lib/user.tsx'
import classes from './Root.module.css'
import { useCurrentScreen } from './current-screen.ts'
import type { Verdict, Gate } from './gate.ts'
import { useNav } from './nav.ts'

type NoticeProps = { icon: Icon; title: string; actions?: ReactNode; children?: ReactNode }

const Notice = ({ icon: NoticeIcon, title, actions, children }: NoticeProps) => (
  <main className={classes.notice}>
    <NoticeIcon size={28} stroke={1.5} aria-hidden />
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
      icon={IconBug}
      title={t('Something went wrong on this page')}
      actions={<Button onClick={() => location.reload()}>{t('Reload')}</Button>}
    >
      {error instanceof Error ? translateText(error.message) : null}
    </Notice>
  )
}

const HomeButton = ({ to }: { to: LinkProps }) => (
  <Button renderRoot={(props) => <Link {...to} {...props} />} variant="default">
    {t('Home')}
  </Button>
)

export const NotFoundPage = () => {
  const { home } = useNav()
  return (
    <Notice icon={IconMapOff} title={t('Page not found')} actions={<HomeButton to={home ?? { to: '/' }} />}>
      {t('There is no page at this address. It may have moved, or the address is incomplete.')}
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
  const { sentence, icon } = pages[reason]
  return (
    <Notice icon={icon} title={t(sentence)} actions={home && <HomeButton to={home} />}>
      {isAdministrator
        ? t('Your operator enables features for your company. Ask your operator.')
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
