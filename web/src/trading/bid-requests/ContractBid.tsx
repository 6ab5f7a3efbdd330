import type { ComponentProps } from 'react'
import { bidBasis, type BidBasis } from '@gridmast/contract/trading/bid-basis.ts'
import type { BidRequest } from '@gridmast/contract/trading/bid-requests.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { Grid, Text } from '#ui/Layout.tsx'
import classes from './bid-requests.module.css'
import { ordinarySlots, textOf } from './slot-values.ts'

const Plate = (props: ComponentProps<typeof Text>) => (
  <Text {...props} above={8} ink="ink2" size="label" plate="sub-raised" className={classes.contract} />
)

export const ContractBid = ({ market, basis }: { market: string; basis: BidBasis | undefined }) => {
  const contract = basis?.contract
  if (basis && !contract)
    return (
      <Plate as="p" role="alert">
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />{' '}
        {t('This instance has no contract, so no bid is placed. Ask your operator or turn on custom bidding.')}
      </Plate>
    )
  return (
    <Plate as="div">
      <Text as="p" below={4}>
        {t('Bids have the price of the contract and the expected capacity of each slot.')}
      </Text>
      {contract && (
        <>
          <Text as="p" below={4}>
            {t('Price {{price}} EUR/MW, auctions: {{auctions}}. Measured over the last 7 days, in steps of 0.1 MW:', {
              price: digits.eur(contract.priceEur),
              auctions: contract.auctions.join(', '),
            })}
          </Text>
          <Grid as="ul" fill={110} gap={16} rowGap={2} above={8} className="gm-num">
            {ordinarySlots(market).map(({ index, label }) => (
              <li key={index}>
                <Text ink="ink3">{label}</Text>{' '}
                {basis.forecastKw[index] === null ? '–' : textOf('capacity', contract.bidMw[index] ?? '0')}
              </li>
            ))}
          </Grid>
        </>
      )}
    </Plate>
  )
}

export const StandingBid = ({ row }: { row: BidRequest }) => {
  const read = useCall(bidBasis, { sent: { query: { groupId: row.groupId, market: row.biddingMarket } } })
  return <ContractBid market={row.biddingMarket} basis={read.data} />
}
