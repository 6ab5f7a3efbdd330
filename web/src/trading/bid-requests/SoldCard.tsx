import { isMarket } from '@gridmast/contract/markets.ts'
import { today } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { Panel } from '#ui/Panel.tsx'
import { Stack } from '#ui/Layout.tsx'
import classes from './bid-requests.module.css'
import { SoldNow, SoldPanel, useSoldRisks } from './SoldPanel.tsx'

const none: never[] = []

export const SoldCard = ({ market, instanceId }: { market: string; instanceId?: string | undefined }) => {
  const now = useNow(60_000)
  const { data } = useSoldRisks({ market, instanceId })
  const count = data?.risks.length ?? 0
  const phone = usePhone()
  const link = count > 0 && (
    <Link
      to="/demandResponse/$market"
      params={{ market }}
      search={{ tab: 'soldCapacity', ...(instanceId ? { instance: instanceId } : {}) }}
      className="gm-link"
    >
      {t('{{count}} sold slots at risk', { count })}
    </Link>
  )
  if (phone && isMarket(market))
    return (
      <Panel title={market} note={instanceId ? undefined : t('All')} label={`${t('Sold Capacity (kW)')} ${market}`}>
        <Stack gap={2} className={classes.soldNow}>
          <SoldNow market={market} instanceId={instanceId} brief />
          {link}
        </Stack>
      </Panel>
    )
  return (
    <SoldPanel
      market={market}
      instanceId={instanceId}
      date={today(now)}
      nowMs={now}
      title={t('Sold Capacity (kW)')}
      height={190}
      risks={data?.risks ?? none}
      note={link}
    />
  )
}
