import { bidBasis, type BidBasis } from '@gridmast/contract/trading/bid-basis.ts'
import type { BidRequest } from '@gridmast/contract/trading/bid-requests.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import classes from './bid-requests.module.css'
import { ordinarySlots, textOf } from './slot-values.ts'

export const ContractBid = ({ market, basis }: { market: string; basis: BidBasis | undefined }) => {
  const contract = basis?.contract
  if (basis && !contract)
    return (
      <p className={classes.contract} role="alert">
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />{' '}
        {t('This instance has no contract, so no bid is placed. Ask your operator or turn on custom bidding.')}
      </p>
    )
  return (
    <div className={classes.contract}>
      <p>{t('Bids have the price of the contract and the expected capacity of each slot.')}</p>
      {contract && (
        <>
          <p>
            {t('Price {{price}} EUR/MW, auctions: {{auctions}}. Measured over the last 7 days, in steps of 0.1 MW:', {
              price: digits.eur(contract.priceEur),
              auctions: contract.auctions.join(', '),
            })}
          </p>
          <ul className={classes.bidMw}>
            {ordinarySlots(market).map(({ index, label }) => (
              <li key={index}>
                <span>{label}</span>{' '}
                {basis.forecastKw[index] === null ? '–' : textOf('capacity', contract.bidMw[index] ?? '0')}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

export const StandingBid = ({ row }: { row: BidRequest }) => {
  const read = useCall(bidBasis, { sent: { query: { groupId: row.groupId, market: row.biddingMarket } } })
  return <ContractBid market={row.biddingMarket} basis={read.data} />
}
