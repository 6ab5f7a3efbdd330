import { ActionIcon } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { Popover } from './Popover.tsx'
import classes from './Panel.module.css'

/** Formula and source of the computed figures of a card. The server's pages next to the rules have them in full. */
const texts = {
  revenue:
    'Your share of capacity revenue minus penalties, by the contract of each day. Capacity revenue: MW won × price of its auction, from Energi Data Service.',
  settlements:
    'Gross = MW won × price of its auction − penalty for unavailable hours. Partner, SC and enablers receive percent of the gross by the contract of the day, the customer the rest.',
  comparison:
    'The difference between two months, divided into volume, win rate, price, availability, contract shares and rounding. Source: the settlements of both months.',
  reconciliation:
    'Difference = amount of the operator’s statement − own settlement, for each instance, day and product. Parts: volume, price, availability and share.',
  statements:
    'The total of all settlements of the month, as in eConomics. Later corrections give the statement a new version.',
  marketFit:
    'Area, direction, reaction time, duration, power and energy are compared with Energinet’s requirements for each market. The first unmet requirement is the answer.',
  calculator:
    'Revenue = capacity × published price, added up over all hours with a price. Source: Energi Data Service.',
  measuredSaving:
    'Cost of the baseline − cost of the measured consumption, at the spot price, tariff and tax of each quarter.',
  bill: 'The cost of the plan and of the baseline: kWh of each quarter × its spot price, tariff and tax, and the other parts of the bill.',
  chargingCost:
    'Cost = kWh of each quarter × (spot price + tariff + tax), without VAT. Spot price and tariff: Energi Data Service.',
  soldCapacity:
    'Sold: the won bids of each slot. Available: the last capacity that the instances reported. Margin = available − sold.',
  instancePower:
    'Power as the edge measured it. Consumption: the mean power of each hour × its length; unknown where a quarter has no sample.',
  energyNow:
    'Grid = site + battery + chargers, by the newest report of each edge and charger. Consumption that none of them measures is not included. Held: available kW of the sold instances, at most what is sold.',
  frequency:
    'Frequency of the grid. Where the chart has more samples than points, each point keeps the lowest and the highest sample, so that no dip is lost.',
  powerCost:
    'Power cost = spot price + tax of the price signal. An hour is the mean of its quarters. Source: Energi Data Service.',
  meterCost:
    'Cost = metered kWh of each interval × (spot price + tariff + tax), without VAT. Emission = kWh × CO₂ of the grid in the hour. Intervals without a reading or price are not included.',
  dearest: 'Possible saving = cost of the hour − the same kWh at the price of the cheapest hour of that day.',
  ownEmission:
    'Emission = kWh of each interval × CO₂ of the grid in its area. Where either is unknown, the emission is unknown, not 0. Source: Energi Data Service.',
  scope2:
    'Emission = kWh of each hour × mean CO₂ of the grid in that hour, location-based. Hours without a reading or factor are listed, not estimated.',
  savings:
    'Total of the ended plans: cost of the stored baseline − cost of the measured consumption. A plan that was not measured is not included.',
  utilisation:
    'Utilisation = time of running sessions ÷ time of all connectors. Energy = meter at the end − meter at the start of each session.',
} as const satisfies Record<string, Sentence>
export type HelpName = keyof typeof texts

const Help = ({ of }: { of: HelpName }) => (
  <Popover
    align="start"
    label={t('How this is calculated')}
    className={classes.helpText}
    target={
      <ActionIcon className={classes.help ?? ''} size={24} variant="subtle" aria-label={t('How this is calculated')}>
        <IconHelpCircle size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    }
  >
    {t(texts[of])}
  </Popover>
)

export default Help
