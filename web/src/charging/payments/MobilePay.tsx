import { fleetDashboard } from '@gridmast/contract/charging/charge-fleet.ts'
import { PaymentList } from './PaymentList.tsx'
import { useCall } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import { Page } from '#ui/Page.tsx'
import { paymentsSearch } from './search.ts'

const MobilePay = () => {
  const [search, change] = useUrlState(paymentsSearch)
  const fleet = useCall(fleetDashboard, { sent: { query: { days: 7 } } })
  const connectors = (fleet.data?.chargers ?? []).map(({ _id, name, connectors, meta }) => ({
    chargerId: _id,
    name,
    isOnline: meta.isActive,
    connectors: connectors.map(({ connectorId }) => connectorId),
  }))
  return (
    <Page>
      <PaymentList connectors={connectors} search={search} onSearch={change} />
    </Page>
  )
}

export default MobilePay
