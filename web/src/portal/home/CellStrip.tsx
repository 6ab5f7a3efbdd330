import { ActionIcon, Select } from '@mantine/core'
import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import { capacityMarkets, type DashboardCard, type DashboardCell } from '@gridmast/contract/people/user.ts'
import { IconArrowLeft, IconArrowRight, IconGripVertical } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { Row } from '#ui/Layout.tsx'
import editor from './HomeEditor.module.css'
import type { Cell, SoldCell } from './layout.ts'

export const cardNames = {
  frequency: 'Frequency',
  capacity: 'Power capacity',
  revenue: 'Revenue',
  powerCost: 'Power cost',
  instance: 'Power of an instance',
  dataHub: 'Data Hub',
} as const satisfies Record<DashboardCard, string>

type Choice = { label: string; value: string; data: { value: string; label: string }[]; onChange: (id: string) => void }

const listed = (all: readonly { _id: string; name: string }[]) =>
  all.map(({ _id, name }) => ({ value: _id, label: name }))
const known = (id: string | undefined, all: readonly { _id: string }[]) => all.find(({ _id }) => _id === id)?._id

const Choose = ({ of, label, value, data, onChange }: Choice & { of: string }) => (
  <Select
    size="xs"
    className={editor.select ?? ''}
    aria-label={t('{{choice}} of cell {{n}}', { choice: label, n: of.toUpperCase() })}
    allowDeselect={false}
    comboboxProps={{ withinPortal: false }}
    data={data}
    value={value}
    onChange={(next) => next !== null && onChange(next)}
  />
)

type SoldStripProps = { name: SoldCell['name']; cell: DashboardCell; onChange: (cell: DashboardCell) => void }

/** Market and instance of a cell in the third row. */
export const SoldStrip = ({ name, cell, onChange }: SoldStripProps) => {
  const { biddingMarkets, instances } = useUser().customerId
  const choices = biddingMarkets.filter((one) => requestSlots(one) !== null)
  const market = choices.find((one) => one === cell.value)
  const inMarket = instances.filter((one) => market !== undefined && one.market.includes(market))
  return (
    <div className={editor.strip}>
      <Choose
        of={name}
        label={t('Market')}
        value={market ?? ''}
        data={[{ value: '', label: t('Nothing') }, ...choices.map((one) => ({ value: one, label: one }))]}
        onChange={(value) => onChange(value ? { value } : {})}
      />
      {market && (
        <Choose
          of={name}
          label={t('Instance')}
          value={known(cell.groupId, inMarket) ?? ''}
          data={[{ value: '', label: t('All instances') }, ...listed(inMarket)]}
          onChange={(groupId) => onChange({ value: market, ...(groupId ? { groupId } : {}) })}
        />
      )}
    </div>
  )
}

type Props = {
  cell: Cell
  cards: readonly DashboardCard[]
  place: number
  places: number
  onChange: (cell: DashboardCell) => void
  onMove: (to: number) => void
  onHold: (isHeld: boolean) => void
}

/** Content of a cell, which is moved by its handle or by the arrow buttons. */
export const CellStrip = ({ cell, cards, place, places, onChange, onMove, onHold }: Props) => {
  const { frequency, powerCost, instances } = useUser().customerId
  const { name: _, ...now } = cell
  const [usualMarket] = capacityMarkets
  const market = capacityMarkets.find((one) => one === cell.value) ?? usualMarket
  const inMarket = instances.filter((one) => one.market.includes(market))
  const choices: Record<DashboardCard, Choice[]> = {
    revenue: [],
    dataHub: [],
    frequency: [
      {
        label: t('Signal'),
        value: known(cell.frequencyId, frequency) ?? frequency[0]?._id ?? '',
        data: listed(frequency),
        onChange: (frequencyId) => onChange({ ...now, frequencyId }),
      },
    ],
    capacity: [
      {
        label: t('Market'),
        value: market,
        data: capacityMarkets.map((one) => ({ value: one, label: one })),
        onChange: (value) => onChange({ card: 'capacity', value }),
      },
      {
        label: t('Instance'),
        value: known(cell.groupId, inMarket) ?? '',
        data: [{ value: '', label: t('All instances') }, ...listed(inMarket)],
        onChange: (groupId) => onChange({ card: 'capacity', value: market, ...(groupId ? { groupId } : {}) }),
      },
    ],
    powerCost: [
      {
        label: t('Price signal'),
        value: known(cell.priceSignalId, powerCost) ?? powerCost[0]?._id ?? '',
        data: listed(powerCost),
        onChange: (priceSignalId) => onChange({ ...now, priceSignalId }),
      },
    ],
    instance: [
      {
        label: t('Instance'),
        value: known(cell.groupId, instances) ?? instances[0]?._id ?? '',
        data: listed(instances),
        onChange: (groupId) => onChange({ ...now, groupId }),
      },
    ],
  }
  const card = t(cardNames[cell.card])
  return (
    <div className={editor.strip}>
      <span
        className={editor.grip}
        draggable
        title={t('Drag to move')}
        onDragStart={(event) => {
          event.dataTransfer.setData('text/plain', cell.name)
          event.dataTransfer.effectAllowed = 'move'
          onHold(true)
        }}
        onDragEnd={() => onHold(false)}
      >
        <IconGripVertical size={16} stroke={1.8} aria-hidden />
      </span>
      <Choose
        of={cell.name}
        label={t('Card')}
        value={cell.card}
        data={cards.map((one) => ({ value: one, label: t(cardNames[one]) }))}
        onChange={(next) => onChange({ card: cards.find((one) => one === next) ?? cell.card })}
      />
      {choices[cell.card].map((choice) => (
        <Choose key={choice.label} of={cell.name} {...choice} />
      ))}
      <Row as="span" nowrap align="stretch" end>
        <ActionIcon
          aria-label={t('Move {{card}} left', { card })}
          disabled={place === 0}
          onClick={() => onMove(place - 1)}
        >
          <IconArrowLeft size={16} stroke={1.8} />
        </ActionIcon>
        <ActionIcon
          aria-label={t('Move {{card}} right', { card })}
          disabled={place === places - 1}
          onClick={() => onMove(place + 1)}
        >
          <IconArrowRight size={16} stroke={1.8} />
        </ActionIcon>
      </Row>
    </div>
  )
}
