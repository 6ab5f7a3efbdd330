import { t } from '#lib/i18n.ts'
import { carbonColour } from '#ui/theme/carbon.ts'
import classes from './carbon.module.css'

const marks = [60, 150, 250, 350, 500]

/** What the colours of the line mean, in numbers. */
export const CarbonScale = () => (
  <div className={classes.scale} role="img" aria-label={t('Colours from 60 g/kWh, green, to 500 g/kWh, brown')}>
    {marks.map((value) => (
      <span key={value}>
        <i style={{ background: carbonColour(value) }} />
        {value === 500 ? '≥ 500' : value}
      </span>
    ))}
  </div>
)
