import { powerCapacitySum } from '@gridmast/contract/grid/capacity.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { useCall } from '#lib/query.ts'
import { Figure, Margin } from '#ui/Figure.tsx'

/** What all instances of a market have available now, and what of it is sold; nothing before it is known. */
export const MarketFigure = ({ market }: { market: string }) => {
  const { data } = useCall(powerCapacitySum, { sent: { query: { market } }, refetchIntervalMs: minuteMs })
  if (!data) return null
  const alive = data.instances.flatMap(({ kw }) => kw ?? [])
  const availableKw = alive.length === 0 ? null : alive.reduce((sum, kw) => sum + kw, 0)
  return (
    <>
      <Figure value={availableKw} decimals={1} unit="kW" />
      {data.soldKw !== null && <Margin availableKw={availableKw} soldKw={data.soldKw} />}
    </>
  )
}
