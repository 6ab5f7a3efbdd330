import { ActionIcon } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { MenuItem } from './Menu.tsx'
import { Popover } from './Popover.tsx'
import classes from './Panel.module.css'

/** Formula and source of the computed figures of a card. The server's pages next to the rules have them in full. */
const texts = {
  revenue:
    'Your share of capacity revenue minus penalties, by the contract of each day. Capacity revenue: MW won × price of its auction, from Energi Data Service.',
  settlements:
    'Gross = MW won × price of its auction − penalty for unavailable hours. Partner, SC (service company) and enablers receive percent of the gross by the contract of the day, the customer the rest.',
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
  events:
    'Delta load = the largest requested power, in percent of the capacity. Delivered = the highest measured response, in percent of the same. Capacity: kW sold in the slot, otherwise the registered flexible kW. Consumption without meter readings is estimated from the power.',
  deliveredEvents:
    'Delta load = the highest measured response, in percent of the capacity: kW sold in the slot, otherwise the registered flexible kW. Consumption without meter readings is estimated from the power.',
  capacity:
    'Available: the newest capacity that the edge reported; unknown after 15 minutes without a report. Sold: the won bids of this slot. Margin = available − sold.',
  risks:
    'Missing = sold − expected kW in the worst hour of the slot. Expected: the mean of the same hour on the last 14 days, working days and weekends apart, adjusted by the last hour. Possible loss = the slot’s payment × missing ÷ sold.',
  dayAhead:
    'Price = spot price + tax of the price signal. Average: each quarter counts equally. Spread = highest − lowest price. Cheapest 4 hours: the four hours in a row with the lowest average, from now on. Source: Energi Data Service.',
  reservePrice:
    'Average of the day’s published prices, each by the length of its slot. A price in EUR is converted at the day’s exchange rate. Source: Energi Data Service.',
  gridEmission:
    'CO₂ of the electricity consumed in the area, as Energinet publishes it. Average: all published values of the day. Greenest 4 hours: the four hours in a row with the lowest average, from now on.',
  fleet:
    'Cost = kWh of each quarter × (spot price + tariff + tax), without VAT. Income = kWh × the price for drivers on the day when the session began. Margin = income − cost. CO₂ per kWh = emission ÷ energy of the sessions. A session counts in the month in which it began.',
  sessionEnergy:
    'Energy = the charger’s energy register at the end − at the start. Between two readings the energy is spread evenly. A jump that the connector cannot have delivered is not included.',
  site: 'For charging = (limit of the site − reserve) × 230 V × 3 phases. Reserved: the most current that all chargers may draw now, also without contact. Power now: the sum of the measured chargers.',
  plan: 'Saved = bill of the baseline − bill of the plan. Bill = kWh of each quarter × (spot price + tariff + tax), and the other parts below. CO₂ = kWh × the CO₂ prognosis of the quarter.',
  backtest:
    'Saved = bill without a plan − bill with the plan, by the prices and the consumption that came. Regret = bill with the plan − the lowest possible bill, had everything been known in advance.',
  response:
    'Required = capacity × activation signal. Delivered = the deviation of the measured power from the power without the activation; for FCR-D and FFR, the mean of the minute before it.',
  budget:
    'Used: what drivers pay for the sessions of this month, otherwise their cost of energy; and their kWh, with running sessions. A session counts in the month in which it began.',
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

export const HelpItem = ({ of }: { of: HelpName }) => {
  const id = useId()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <MenuItem
        icon={<IconHelpCircle aria-hidden />}
        aria-expanded={opened}
        aria-describedby={opened ? id : undefined}
        onClick={(event) => {
          event.stopPropagation() // the menu stays
          setOpened(!opened)
        }}
      >
        {t('How this is calculated')}
      </MenuItem>
      {opened && (
        <div id={id} role="presentation" className={classes.menuText}>
          {t(texts[of])}
        </div>
      )}
    </>
  )
}

export default Help
