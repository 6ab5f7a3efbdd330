import { ActionIcon, Button } from '@mantine/core'
import { powerCost } from '@gridmast/contract/grid/prices.ts'
import { formatDate, formatTime, localDateOf, localTime, zoneLabel } from '@gridmast/contract/time.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { wallCards, wallSeconds, type WallShow } from '@gridmast/contract/people/wall.ts'
import {
  IconChevronLeft,
  IconChevronRight,
  IconMaximize,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useRunning } from '#delivery/events/ActivationBanner.tsx'
import { currentMs, useNow } from '#lib/clock.ts'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { liveStatus, useLiveAlerts, useLivePrices, useLiveProfile, useLiveResume } from '#lib/live.ts'
import { tokenStore } from '#lib/session.ts'
import { useStore } from '#lib/store.ts'
import { useUrlState } from '#lib/url-state.ts'
import { cardsOf, openCards, type WallCard } from '#people/security/wall-cards.ts'
import { useCan, UserProvider, useVerifiedUser } from '#lib/user.tsx'
import { Unreachable } from '#shell/FirstLoader.tsx'
import { forcedScheme, primaryStore } from '#ui/theme/theme.ts'
import { cards } from './cards.tsx'
import { wallSearch } from './search.ts'
import classes from './wall.module.css'

const useScheme = (scheme: 'light' | 'dark') =>
  useEffect(() => {
    forcedScheme.set(scheme)
    return () => forcedScheme.set(null)
  }, [scheme])

const lockAgainMs = 1000

/** The system may release a lock at any time, and does when the page is hidden. False: the device may turn its screen off. */
const useWakeLock = (): boolean => {
  const [isKept, setKept] = useState(true)
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isOver = false
    const request = async () => {
      if (isOver || lock?.released === false || document.visibilityState !== 'visible') return
      try {
        lock = await navigator.wakeLock.request('screen')
        lock.addEventListener('release', () => setTimeout(onVisible, lockAgainMs))
        if (isOver) await lock.release()
        setKept(true)
      } catch {
        setKept(false) // an unsafe connection, an older browser, or a nearly empty battery
      }
    }
    const onVisible = () => void request()
    onVisible()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', onVisible)
      void lock?.release()
    }
  }, [])
  return isKept
}

/** Loads a new release on a screen that is never closed; a stopped card is in the address and stays. */
const useNightlyReload = (reload: () => void) => {
  const [loadedOn] = useState(() => localDateOf(currentMs()))
  const now = useNow(60_000)
  const isDue = localDateOf(now) !== loadedOn && localTime(now) >= '03:00'
  const isOpen = useStore(liveStatus) === 'open'
  const onDue = useEffectEvent(reload)
  useEffect(() => {
    if (isDue && isOpen) onDue()
  }, [isDue, isOpen])
}

const lostAfterMs = 5000

/** Since when the live stream is interrupted; null while it is open. */
const useLostSince = (): number | null => {
  const isOpen = useStore(liveStatus) === 'open'
  const now = useNow(1000)
  const [since, setSince] = useState<number | null>(isOpen ? null : now)
  if (isOpen !== (since === null)) setSince(isOpen ? null : now)
  return since !== null && now - since > lostAfterMs ? since : null
}

type Props = { reload?: () => void }

const Wall = ({ reload = () => window.location.reload() }: Props) => {
  const token = useStore(tokenStore)
  const [{ scheme = 'dark' }] = useUrlState(wallSearch)
  useScheme(scheme)
  // A new session remounts the screen, so that no data of the previous one stays on it (T5).
  return token === null ? <SignedOut /> : <SignedIn key={token} reload={reload} />
}

const SignedOut = () => (
  <main className={classes.signedOut}>
    <h1>{t('This screen is signed out and shows no data.')}</h1>
    <p>{t('Sign in on your own device and create a new link below your sessions.')}</p>
    <Button component={Link} to="/auth/login" variant="default">
      {t('Sign in')}
    </Button>
  </main>
)

const SignedIn = ({ reload }: Required<Props>) => {
  const verified = useVerifiedUser(true)
  const { data, error, refetch } = verified
  const primary = data?.user.customerId.theme.primaryColor
  useLiveProfile(() => void refetch())
  useLiveResume(() => void refetch())
  useEffect(() => {
    if (primary) primaryStore.set(primary)
  }, [primary])
  if (data?.due) return <Navigate to="/" replace />
  if (data)
    return (
      <UserProvider value={data.user}>
        <Screen user={data.user} isOwn={data.wall === undefined} show={data.wallShow ?? null} reload={reload} />
      </UserProvider>
    )
  return error ? <Unreachable read={verified} error={error} /> : <p className={classes.signedOut}>{t('Loading')}</p>
}

const toggleFullScreen = () => {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()
  done?.catch(() => {}) // refused by the browser: the page stays as it is
}

const swipePx = 60

/** Shown card, its timer, and the next and previous one by keyboard, buttons and swipes. */
const useRotation = (keys: readonly string[], seconds: number) => {
  const [{ stopped }, change] = useUrlState(wallSearch)
  const [index, setIndex] = useState(0)
  const count = Math.max(1, keys.length)
  const isPaused = stopped !== undefined && keys.includes(stopped)
  const shown = isPaused ? keys.indexOf(stopped) : index % count
  const onShow = (next: number) => {
    setIndex(next)
    if (isPaused) change({ stopped: keys[next] })
  }
  const onPause = () => {
    setIndex(shown)
    change({ stopped: isPaused ? undefined : keys[shown] })
  }
  const move = (by: number) => onShow((shown + by + count) % count)
  useEffect(() => {
    if (isPaused || count < 2) return undefined
    const timer = setTimeout(() => setIndex((shown + 1) % count), seconds * 1000)
    return () => clearTimeout(timer)
  }, [shown, isPaused, count, seconds])
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isButton = event.target instanceof HTMLElement && event.target.closest('button, a') !== null
    if (event.key === 'ArrowRight') move(1)
    else if (event.key === 'ArrowLeft') move(-1)
    else if (event.key === ' ' && !isButton) onPause()
    else if (event.key.toLowerCase() === 'f') toggleFullScreen()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  const startX = useRef<number | null>(null)
  const swipe = {
    onPointerDown: (event: PointerEvent) => (startX.current = event.clientX),
    onPointerUp: (event: PointerEvent) => {
      const by = event.clientX - (startX.current ?? event.clientX)
      startX.current = null
      if (Math.abs(by) > swipePx) move(by < 0 ? 1 : -1)
    },
  }
  return { shown, isPaused, swipe, move, onShow, onPause }
}

/** The address of a screen goes before the cards that were chosen for it. */
const useShow = (user: User, show: WallShow | null) => {
  const [{ seconds = show?.seconds ?? wallSeconds.usual, cards: kinds }] = useUrlState(wallSearch)
  const named = kinds?.split(',').flatMap((name) => wallCards.find((card) => card === name) ?? [])
  const chosen = named?.map((card: WallCard) => ({ card })) ?? show?.cards
  return { shownCards: cardsOf(openCards(user), chosen), seconds }
}

type ScreenProps = Required<Props> & { user: User; isOwn: boolean; show: WallShow | null }

const Screen = ({ user, isOwn, show, reload }: ScreenProps) => {
  const { shownCards, seconds } = useShow(user, show)
  const { shown, isPaused, swipe, move, onShow, onPause } = useRotation(
    shownCards.map(({ key }) => key),
    seconds,
  )
  const isKept = useWakeLock()
  useNightlyReload(reload)
  const lostSince = useLostSince()
  const mayReadEvents = useCan('event.read')
  const queries = useQueryClient()
  useLivePrices(() => void queries.invalidateQueries({ queryKey: [powerCost.path] }))
  useLiveAlerts(() => {}) // keeps the stream of a screen without cards open: it notices its end
  return (
    <main className={classes.wall} data-lost={lostSince !== null || undefined} {...swipe}>
      <header className={classes.head}>
        <h1>{isOwn ? user.customerId.name : `${user.customerId.name} · ${user.name}`}</h1>
        <Clock />
      </header>
      {lostSince !== null && (
        <p className={classes.lost} role="alert">
          <IconPlugConnectedX aria-hidden /> {t('No connection since {{time}}', { time: formatTime(lostSince) })}
        </p>
      )}
      {mayReadEvents && <Activations />}
      <div className={classes.cards}>
        {shownCards.length === 0 && <p className={classes.state}>{t('You may read none of the cards.')}</p>}
        {shownCards.map(({ key, card, of }, i) => {
          const Card = cards[card]
          return <Card key={key} shown={i === shown} of={of} />
        })}
      </div>
      <footer className={classes.foot}>
        <ActionIcon size={44} aria-label={t('Previous card')} onClick={() => move(-1)}>
          <IconChevronLeft aria-hidden />
        </ActionIcon>
        <ActionIcon size={44} aria-label={isPaused ? t('Rotate the cards') : t('Stop on this card')} onClick={onPause}>
          {isPaused ? <IconPlayerPlay aria-hidden /> : <IconPlayerPause aria-hidden />}
        </ActionIcon>
        <ActionIcon size={44} aria-label={t('Next card')} onClick={() => move(1)}>
          <IconChevronRight aria-hidden />
        </ActionIcon>
        <ActionIcon size={44} aria-label={t('Full screen')} onClick={toggleFullScreen}>
          <IconMaximize aria-hidden />
        </ActionIcon>
        <span className={classes.dots}>
          {shownCards.map(({ key }, i) => (
            <button
              key={key}
              type="button"
              aria-label={t('Card {{n}} of {{all}}', { n: i + 1, all: shownCards.length })}
              aria-current={i === shown || undefined}
              onClick={() => onShow(i)}
            />
          ))}
        </span>
        <span className={classes.notes}>
          {isPaused && <span>{t('Stopped on this card')}</span>}
          {!isKept && <span>{t('This device may turn its screen off.')}</span>}
          {isOwn && (
            <span>
              <Link to="/security" className="gm-link">
                {t('Make a wall screen without your sign-in')}
              </Link>
              {' · '}
              <Link to="/" className="gm-link">
                {t('Home')}
              </Link>
            </span>
          )}
        </span>
      </footer>
    </main>
  )
}

const Clock = () => {
  const now = useNow(1000)
  return (
    <time
      className={classes.clock}
      role="timer"
      aria-label={t('Time in Denmark')}
      dateTime={new Date(now).toISOString()}
    >
      <span>{formatDate(now)}</span> <b>{formatTime(now)}</b> <span>{zoneLabel(now)}</span>
    </time>
  )
}

const Activations = () => {
  const running = useRunning()
  const [first] = running
  return (
    first && (
      <p className={classes.activation} role="status">
        <b>{t('Activation in progress')}</b>
        <span>
          {first.market} · {first.instanceName}
        </span>
        <span>
          {t('Required')} <b>{format.kw(first.requiredKw)}</b> {t('Delivered')} <b>{format.kw(first.deliveredKw)}</b>
        </span>
        {first.simulated && <span>{t('Simulated')}</span>}
        {running.length > 1 && <span>{t('and {{n}} more', { n: running.length - 1 })}</span>}
      </p>
    )
  )
}

export default Wall
