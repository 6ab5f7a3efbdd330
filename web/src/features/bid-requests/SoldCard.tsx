import { today } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useNow } from '#lib/clock.ts'
import { useTranslation } from '#lib/i18n.ts'
import { SoldPanel, useSoldRisks } from './SoldPanel.tsx'

const none: never[] = []

/** Today's sold capacity of a market on home; how much of what is sold ahead is at risk leads to its page. */
export const SoldCard = ({ market, instanceId }: { market: string; instanceId?: string | undefined }) => {
  const { t } = useTranslation()
  const now = useNow(60_000)
  const { data } = useSoldRisks({ market, instanceId })
  const count = data?.risks.length ?? 0
  return (
    <SoldPanel
      market={market}
      instanceId={instanceId}
      date={today(now)}
      nowMs={now}
      title={t('Sold Capacity (kW)')}
      height={190}
      risks={data?.risks ?? none}
      note={
        count > 0 && (
          <Link
            to="/demandResponse/$market"
            params={{ market }}
            search={{ tab: 'soldCapacity', ...(instanceId ? { instance: instanceId } : {}) }}
            className="gm-link"
          >
            {count === 1 ? t('1 sold slot at risk') : t('{{count}} sold slots at risk', { count })}
          </Link>
        )
      }
    />
  )
}
