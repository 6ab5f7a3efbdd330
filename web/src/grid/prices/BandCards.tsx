import { formatNumber } from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'
import { Figure } from '#ui/Figure.tsx'
import { Grid } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import classes from './BandCards.module.css'
import { type PriceSlot, bandFigures, bands } from './day-ahead.ts'

const two = (hour: number) => String(hour).padStart(2, '0')
const price = (value: string | undefined) => formatNumber(value, { decimals: 2 })

/** What each quarter of the day costs. */
export const BandCards = ({ slots }: { slots: readonly PriceSlot[] }) => (
  <Grid columns={4} gap="cards">
    {bands.map((band) => {
      const figures = bandFigures(slots, band)
      const label = `${t(band.title)} ${two(band.from)}–${two(band.to)}`
      return (
        <Panel key={band.title} label={label}>
          <div className={classes.band}>
            <Figure label={label} value={figures?.average} />
            <p>
              {t('Lowest')} {price(figures?.lowest)}
              <br />
              {t('Highest')} {price(figures?.highest)}
            </p>
          </div>
        </Panel>
      )
    })}
  </Grid>
)
