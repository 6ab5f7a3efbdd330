import type { Data } from '@gridmast/contract/call.ts'
import { noteVisit } from '@gridmast/contract/people/home-visit.ts'
import { screenRefusal } from '@gridmast/contract/screens.ts'
import { formatDate, localDateOf, localTime, minuteMs, today } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { licenceTitle, subjectOf, useUser } from '#lib/user.tsx'
import type { Address } from '#shell/nav.ts'
import classes from './visit.module.css'

type Visit = Data<typeof noteVisit>
type Item = { key: string; words: string; address: Address | false }

/** Well below the gap that ends a visit. */
const everyMs = 5 * minuteMs

const momentOf = (iso: string, now: string): string => {
  const ms = Date.parse(iso)
  return localDateOf(ms) === now ? localTime(ms) : `${formatDate(ms).slice(0, 6)} ${localTime(ms)}`
}

const useItems = (visit: Visit, since: string, now: string): Item[] => {
  const subject = subjectOf(useUser())
  const opens = (screen: Parameters<typeof screenRefusal>[1]) => screenRefusal(subject, screen) === null
  const [markets, apps, economics] = [opens('demandResponse'), opens('e3App'), opens('eConomics')]
  const { settlements } = visit
  return [
    ...visit.events.map(({ market, count }) => ({
      key: `event ${market}`,
      words: t('{{count}} activations, {{of}}', { count, of: market }),
      address: markets && {
        to: '/demandResponse/$market' as const,
        params: { market },
        search: { tab: 'events' as const, dateRange: `${since}..${now}`, smaller: 'shown' as const },
      },
    })),
    ...visit.alerts.map(({ licence, count }) => ({
      key: `alert ${licence}`,
      words: t('{{count}} alerts, {{of}}', { count, of: licenceTitle(licence) }),
      address: apps && {
        to: '/e3-App/$name' as const,
        params: { name: licence },
        search: { tab: 'alerts' as const, subTab: 'triggered' as const },
      },
    })),
    ...visit.bids.map(({ market, won, lost }) => ({
      key: `bid ${market}`,
      words: t('Bids: {{won}} won, {{lost}} lost, {{of}}', { won, lost, of: market }),
      address: markets && {
        to: '/demandResponse/$market' as const,
        params: { market },
        search: { tab: 'requestBid' as const },
      },
    })),
    ...(settlements
      ? [
          {
            key: 'settlements',
            words: t('{{count}} settlements', { count: settlements.count }),
            address: economics && {
              to: '/eConomics' as const,
              search: { startDate: settlements.firstDay, endDate: settlements.lastDay },
            },
          },
        ]
      : []),
    ...visit.differences.map(({ statementId, name, count }) => ({
      key: statementId,
      words: t('{{count}} differences, {{of}}', { count, of: name }),
      address: economics && {
        to: '/eConomics' as const,
        search: { tab: 'reconciliation' as const, statement: statementId, show: 'unsettled' as const },
      },
    })),
  ]
}

const Items = ({ visit, since }: { visit: Visit; since: string }) => {
  const now = today(useNow(60_000))
  const items = useItems(visit, localDateOf(Date.parse(since)), now)
  const at = momentOf(since, now)
  if (items.length === 0) return <span>{t('Nothing new since your last visit, {{at}}', { at })}</span>
  return (
    <>
      <span>{t('Since your last visit, {{at}}', { at })}</span>
      <ul>
        {items.map(({ key, words, address }) => (
          <li key={key}>
            {address ? (
              <Link {...address} className="gm-link">
                {words}
              </Link>
            ) : (
              words
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

export const VisitStrip = () => {
  const { data } = useCall(noteVisit, { refetchIntervalMs: everyMs })
  return (
    <section className={classes.strip} aria-label={t('Since your last visit')}>
      {data && data.since !== null && <Items visit={data} since={data.since} />}
    </section>
  )
}
