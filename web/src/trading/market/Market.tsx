import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import { ActivationBanner } from '#delivery/events/ActivationBanner.tsx'
import { Events } from '#delivery/events/Events.tsx'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { useCurrentScreen } from '#shell/current-screen.ts'
import { TabPage } from '#ui/Page.tsx'
import { marketSearch } from './search.ts'
import { marketTabs } from './tabs.ts'

const Market = () => {
  const { customerId: customer } = useUser()
  const { params } = useCurrentScreen().place
  const [search, change] = useUrlState(marketSearch)
  const named = params['market'] ?? ''
  const market = customer.biddingMarkets.find((one) => one.toLowerCase() === named.toLowerCase()) ?? named
  const instances = customer.instances.filter((one) => one.market.includes(market))
  const props = { market, customer, search, onSearch: change }
  return (
    <main key={market}>
      <ActivationBanner market={market} />
      <TabPage
        current={search.tab}
        tabs={[
          {
            name: 'events',
            title: t('Events'),
            content: <Events of={{ market }} instances={instances} search={search} onSearch={change} />,
          },
          { name: 'market', title: t('Market'), content: <marketTabs.market {...props} /> },
          { name: 'signal', title: t('Signal'), content: <marketTabs.signal {...props} /> },
          requestSlots(market) !== null && {
            name: 'requestBid',
            title: t('Request Bid'),
            content: <marketTabs.requestBid {...props} />,
          },
          { name: 'soldCapacity', title: t('Sold Capacity (kW)'), content: <marketTabs.soldCapacity {...props} /> },
        ]}
      />
    </main>
  )
}

export default Market
