import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { requestSlots } from '@gridmast/contract/trading/bid-slots.ts'
import { RequestBidTab } from '#trading/bid-requests/RequestBidTab.tsx'
import { SoldCapacityTab } from '#trading/bid-requests/SoldCapacityTab.tsx'
import { ActivationBanner } from '#delivery/events/ActivationBanner.tsx'
import { Events } from '#delivery/events/Events.tsx'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { useHere } from '#shell/here.ts'
import { TabList } from '#ui/TabList.tsx'
import classes from './Market.module.css'
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
  return (
    <main>
      <ActivationBanner key={market} market={market} />
      <Tabs value={tab} onChange={open} keepMounted={false} className={classes.tabs ?? ''}>
        <TabList shown={tab}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(titles[name])}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value="events" className={classes.tab ?? ''}>
          <Events
            key={market}
            of={{ market }}
            instances={customer.instances.filter((one) => one.market.includes(market))}
            search={search}
            onSearch={change}
          />
        </Tabs.Panel>
        <Tabs.Panel value="market">
          <MarketTab key={market} market={market} customer={customer} search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="signal">
          <SignalTab key={market} market={market} customer={customer} search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="requestBid">
          <RequestBidTab key={market} market={market} customer={customer} search={search} onSearch={change} />
        </Tabs.Panel>
        <Tabs.Panel value="soldCapacity">
          <SoldCapacityTab key={market} market={market} customer={customer} search={search} onSearch={change} />
        </Tabs.Panel>
      </Tabs>
    </main>
  )
}

export default Market
