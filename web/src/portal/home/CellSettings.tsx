import { ActionIcon } from '@mantine/core'
import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import { capacityMarkets, type DashboardCard, type DashboardCell } from '@gridmast/contract/people/user.ts'
import { IconArrowLeft, IconArrowRight, IconGripVertical } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { Row } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'
import editor from './HomeEditor.module.css'
import type { Cell, SoldCell } from './layout.ts'

export const cardNames = {
  frequency: 'Frequency',
  capacity: 'Power capacity',
  revenue: 'Revenue',
  powerCost: 'Power cost',
  instance: 'Power of an instance',
  dataHub: 'Data Hub',
  energy: 'Energy now',
} as const satisfies Record<DashboardCard, string>

type Choice = { label: string; value: string; data: { value: string; label: string }[]; onChange: (id: string) => void }

const optionsOf = (all: readonly { _id: string; name: string }[]) =>
  all.map(({ _id, name }) => ({ value: _id, label: name }))
const existingId = (id: string | undefined, all: readonly { _id: string }[]) => all.find(({ _id }) => _id === id)?._id

const instanceChoice = (
  groupId: string | undefined,
  instances: readonly { _id: string; name: string }[],
  onChange: Choice['onChange'],
): Choice => ({
  label: t('Instance'),
  value: existingId(groupId, instances) ?? '',
  data: [{ value: '', label: t('All instances') }, ...optionsOf(instances)],
  onChange,
})

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

type SoldCellProps = { name: SoldCell['name']; cell: DashboardCell; onChange: (cell: DashboardCell) => void }

export const SoldCellSettings = ({ name, cell, onChange }: SoldCellProps) => {
  const { biddingMarkets, instances } = useUser().customerId
  const choices = biddingMarkets.filter((one) => requestSlots(one) !== null)
  const market = choices.find((one) => one === cell.value)
  const inMarket = instances.filter((one) => market !== undefined && one.market.includes(market))
  return (
    <Row gap={6} below={6}>
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
          {...instanceChoice(cell.groupId, inMarket, (groupId) =>
            onChange({ value: market, ...(groupId ? { groupId } : {}) }),
          )}
        />
      )}
    </Row>
  )
}

type Props = {
  cell: Cell
  cards: readonly DashboardCard[]
  place: number
  places: number
  onChange: (cell: DashboardCell) => void
  onMove: (to: number) => void
  onDrag: (isDragged: boolean) => void
}

export const CellSettings = ({ cell, cards, place, places, onChange, onMove, onDrag }: Props) => {
  const { frequency, powerCost, instances } = useUser().customerId
  const { name: _, ...settings } = cell
  const [firstMarket] = capacityMarkets
  const market = capacityMarkets.find((one) => one === cell.value) ?? firstMarket
  const inMarket = instances.filter((one) => one.market.includes(market))
  const choices: Record<DashboardCard, Choice[]> = {
    revenue: [],
    dataHub: [],
    energy: [],
    frequency: [
      {
        label: t('Signal'),
        value: existingId(cell.frequencyId, frequency) ?? frequency[0]?._id ?? '',
        data: optionsOf(frequency),
        onChange: (frequencyId) => onChange({ ...settings, frequencyId }),
      },
    ],
    capacity: [
      {
        label: t('Market'),
        value: market,
        data: capacityMarkets.map((one) => ({ value: one, label: one })),
        onChange: (value) => onChange({ card: 'capacity', value }),
      },
      instanceChoice(cell.groupId, inMarket, (groupId) =>
        onChange({ card: 'capacity', value: market, ...(groupId ? { groupId } : {}) }),
      ),
    ],
    powerCost: [
      {
        label: t('Price signal'),
        value: existingId(cell.priceSignalId, powerCost) ?? powerCost[0]?._id ?? '',
        data: optionsOf(powerCost),
        onChange: (priceSignalId) => onChange({ ...settings, priceSignalId }),
      },
    ],
    instance: [
      {
        label: t('Instance'),
        value: existingId(cell.groupId, instances) ?? instances[0]?._id ?? '',
        data: optionsOf(instances),
        onChange: (groupId) => onChange({ ...settings, groupId }),
      },
    ],
  }
  const card = t(cardNames[cell.card])
  return (
    <Row gap={6} below={6}>
      <span
        className={editor.grip}
        draggable
        title={t('Drag to move')}
        onDragStart={(event) => {
          event.dataTransfer.setData('text/plain', cell.name)
          event.dataTransfer.effectAllowed = 'move'
          onDrag(true)
        }}
        onDragEnd={() => onDrag(false)}
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
    </Row>
  )
}
