import { useNavigate } from '@tanstack/react-router'
import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import { RequestBidTab } from '#trading/bid-requests/RequestBidTab.tsx'
import { SoldCapacityTab } from '#trading/bid-requests/SoldCapacityTab.tsx'
import { ActivationBanner } from '#delivery/events/ActivationBanner.tsx'
import { Events } from '#delivery/events/Events.tsx'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { useHere } from '#shell/here.ts'
import { PageTabs } from '#ui/PageTabs.tsx'
import { MarketTab } from './MarketTab.tsx'
import { marketSearch, marketTabs } from './search.ts'
import { SignalTab } from './SignalTab.tsx'

const titles = {
  events: 'Events',
  market: 'Market',
  signal: 'Signal',
  requestBid: 'Request Bid',
  soldCapacity: 'Sold Capacity (kW)',
} as const

/** One market: its prices and capacity, and the signal that it follows. */
const Market = () => {
  const { customerId: customer } = useUser()
  const { params } = useHere().place
  const navigate = useNavigate()
  const [search, change] = useUrlState(marketSearch)
  const asked = params['market'] ?? ''
  const market = customer.biddingMarkets.find((own) => own.toLowerCase() === asked.toLowerCase()) ?? asked
  // A tab that is not offered leads to the first (decision 19).
  const tabs = marketTabs.filter((name) => name !== 'requestBid' || requestSlots(market) !== null)
  const tab = tabs.find((name) => name === search.tab) ?? marketTabs[0]
  // A tab is a place: all that belonged to the one before is left out, and back leads to it.
  const open = (next: string | null) => {
    const [usual, ...others] = marketTabs
    const chosen = next === usual ? undefined : others.find((name) => name === next)
    void navigate({ to: '/demandResponse/$market', params: { market: asked }, search: chosen ? { tab: chosen } : {} })
  }
  const of = { market, customer, search }
  const panels = {
    events: (
      <Events
        key={market}
        of={{ market }}
        instances={customer.instances.filter((one) => one.market.includes(market))}
        search={search}
        onSearch={change}
      />
    ),
    market: <MarketTab key={market} {...of} onChange={change} />,
    signal: <SignalTab key={market} {...of} onChange={change} />,
    requestBid: <RequestBidTab key={market} {...of} onSearch={change} />,
    soldCapacity: <SoldCapacityTab key={market} {...of} onSearch={change} />,
  }
  return (
    <main>
      <ActivationBanner key={market} market={market} />
      <PageTabs names={tabs} title={(name) => t(titles[name])} shown={tab} onOpen={open}>
        {panels[tab]}
      </PageTabs>
    </main>
  )
}

export default Market
