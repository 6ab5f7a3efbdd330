import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { languages } from '@gridmast/contract/people/user.ts'
import { chooseLanguage, currentLanguage, languageNames, t } from '#lib/i18n.ts'
import { keepFocus } from '#lib/kept-focus.ts'
import classes from './sign-in.module.css'
import { Note, Row, TextButton } from '#ui/Layout.tsx'

type Props = { title: string; lead: ReactNode; children: ReactNode; under?: ReactNode }

export const AuthFrame = ({ title, lead, children, under }: Props) => {
  useEffect(keepFocus, [])
  return (
    <div className={classes.page}>
      <main className={classes.side}>
        <Row nowrap gap={8} weight="strong" className={classes.brand}>
          <span aria-hidden>G</span> Gridmast
        </Row>
        <div className={classes.middle}>
          <h1>{title}</h1>
          <p className={classes.lead}>{lead}</p>
          <div className={classes.form}>{children}</div>
          {under && <p className={classes.under}>{under}</p>}
        </div>
        <Row as="footer" nowrap gap={16} ink="ink3" size="small" align="stretch" className={classes.foot}>
          <Link to="/privacyPolicy">{t('Privacy policy')}</Link>
          {languages.map((language) => (
            <TextButton
              plain
              key={language}
              strong={currentLanguage() === language}
              lang={language}
              aria-pressed={currentLanguage() === language}
              onClick={() => void chooseLanguage(language)}
            >
              {languageNames[language]}
            </TextButton>
          ))}
        </Row>
      </main>
      <FrequencyPicture />
    </div>
  )
}

export const BackToSignIn = () => (
  <Link to="/auth/login" className="gm-link gm-touch">
    {t('Back to sign in')}
  </Link>
)

/** mulberry32: the same picture on every visit. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
  return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
}

/** Nordic frequency in Hz as a mean-reverting walk (theta 1/120 per second, sigma 5.2 mHz) with one disturbance. */
const simulatedHertz = (points: number, stepS: number): number[] => {
  const random = randomFrom(3903)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const disturbanceAt = Math.round(points * 0.58)
  let deviation = -0.02
  return Array.from({ length: points }, (_, i) => {
    deviation += (-deviation / 120) * stepS + 0.0052 * Math.sqrt(stepS) * normal()
    const since = (i - disturbanceAt) * stepS
    const dip = since < 0 ? 0 : since < 9 ? -0.11 * (since / 9) : -0.11 * Math.exp(-(since - 9) / 45)
    return Math.round((50 + deviation + dip) * 100) / 100
  })
}

const width = 900
const height = 360
const points = 600
const y = (hertz: number) => height * 0.42 - ((hertz - 50) / 0.2) * height * 0.5
const line = simulatedHertz(points, 3)
  .map((hertz, i) => `${i === 0 ? 'M' : 'L'}${((i / (points - 1)) * width).toFixed(1)} ${y(hertz).toFixed(1)}`)
  .join('')

const FrequencyPicture = () => (
  <aside className={classes.panel} aria-label={t('Frequency of the Nordic grid, half an hour')}>
    <p className={classes.words}>
      <span>{t('The grid runs at 50 Hz.')}</span>
      <span>{t('Your plant helps keep it there.')}</span>
    </p>
    <div className={classes.plot}>
      <svg viewBox={`0 0 ${width} ${height}`} width="100%" height="100%" preserveAspectRatio="none" aria-hidden>
        <defs>
          <linearGradient id="under" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0.3" stopColor="#82aee7" stopOpacity="0.16" />
            <stop offset="1" stopColor="#82aee7" stopOpacity="0" />
          </linearGradient>
        </defs>
        <path d={`${line}L${width} ${height}L0 ${height}Z`} fill="url(#under)" />
        <line x1="0" x2={width} y1={y(50)} y2={y(50)} className={classes.nominal} />
        <path d={line} className={classes.trace} />
      </svg>
      <span className={classes.nominalText}>50,00 Hz</span>
    </div>
    <Note size="small" className={classes.caption}>
      <b>{t('Simulated')}</b> {t('Frequency of the Nordic grid, half an hour')}
    </Note>
  </aside>
)
