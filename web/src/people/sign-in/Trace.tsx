import { t } from '#lib/i18n.ts'
import classes from './AuthFrame.module.css'
import { simulatedTrace } from './simulated-trace.ts'

const width = 900
const height = 360
const points = 600
const trace = simulatedTrace(points, 3)
const y = (hertz: number) => height * 0.42 - ((hertz - 50) / 0.2) * height * 0.5
const line = trace
  .map((hertz, i) => `${i === 0 ? 'M' : 'L'}${((i / (points - 1)) * width).toFixed(1)} ${y(hertz).toFixed(1)}`)
  .join('')

/** Half an hour of simulated grid frequency. */
export const Trace = () => (
  <aside className={classes.panel} aria-label={t('Simulated')}>
    <p className={classes.words}>
      <span>{t('The grid runs at 50 Hz.')}</span>
      <span>{t('Your plant helps keep it there.')}</span>
    </p>
    <div className={classes.plot}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
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
    <p className={classes.caption}>
      <b>{t('Simulated')}</b> {t('Frequency of the Nordic grid, half an hour')}
    </p>
  </aside>
)
