import { type Asset, type Fit, marketFits } from '@gridmast/contract/grid/market-fit.ts'
import { calculatorAreas } from '@gridmast/contract/choices.ts'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Select } from '#ui/Select.tsx'
import { fitWords } from './fit-words.ts'
import classes from '#grid/grid.module.css'

const directions = { up: 'Up (less consumption)', down: 'Down (more consumption)', both: 'Up and down' } as const
type Direction = keyof typeof directions
const directionOf = (text: string | null): Direction => (text === 'down' || text === 'both' ? text : 'up')

type Numbers = Pick<Asset, 'powerKw' | 'reactionS' | 'durationMin' | 'energyKwh'>

export const MarketFit = ({ area: first }: { area: string }) => {
  const [asset, setAsset] = useState<Asset>({
    area: first,
    direction: 'up',
    powerKw: 1000,
    reactionS: 5,
    durationMin: 60,
    energyKwh: null,
  })
  const change = (part: Partial<Asset>) => setAsset({ ...asset, ...part })
  const number = (label: string, key: keyof Numbers) => (
    <DecimalField
      label={label}
      decimals={3}
      initial={asset[key]}
      onChange={(decimal) => {
        const value = decimal === undefined ? (key === 'energyKwh' ? null : 0) : Number(decimal)
        if (value === null || value >= 0) change({ [key]: value })
      }}
    />
  )
  return (
    <Panel
      title={t('Which markets can my asset join?')}
      help="marketFit"
      label={t('Which markets can my asset join?')}
      foot={t('Indicative only. Energinet decides at prequalification.')}
    >
      <div className={classes.asset}>
        <Select
          label={t('Area')}
          data={calculatorAreas}
          value={asset.area}
          allowDeselect={false}
          onChange={(area) => area && change({ area })}
        />
        <Select
          label={t('Regulation')}
          data={Object.entries(directions).map(([value, label]) => ({ value, label: t(label) }))}
          value={asset.direction}
          allowDeselect={false}
          onChange={(direction) => change({ direction: directionOf(direction) })}
        />
        {number(t('Power (kW)'), 'powerKw')}
        {number(t('Response time (s)'), 'reactionS')}
        {number(t('Duration (min)'), 'durationMin')}
        {number(t('Storage (kWh)'), 'energyKwh')}
      </div>
      <div style={{ marginInline: -16 }}>
        <DataTable
          label={t('Which markets can my asset join?')}
          columns={columnsOf(asset)}
          rows={marketFits(asset)}
          rowKey={({ market }) => market}
        />
      </div>
    </Panel>
  )
}

const Answer = ({ fits }: { fits: boolean }) =>
  fits ? (
    <Tag kind="up" icon={<IconCheck size={12} aria-hidden />}>
      {t('Yes')}
    </Tag>
  ) : (
    <Tag icon={<IconX size={12} aria-hidden />}>{t('No')}</Tag>
  )

const answerCell = ({ fits }: Fit) => <Answer fits={fits} />

const columnsOf = (asset: Asset): Columns<Fit> => [
  column.text('market', t('Market'), ({ market }) => market, { card: 'lead' }),
  column.cell('fits', t('Suitable'), answerCell, { card: 'corner' }),
  column.figure('kw', t('Sellable power (kW)'), ({ fits, capacityKw }) => (fits ? digits.wholeKw(capacityKw) : '–')),
  column.text('why', t('Reason'), (fit) => fitWords(fit, asset), { card: 'plain' }),
]
