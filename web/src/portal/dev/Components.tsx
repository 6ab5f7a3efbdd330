import { Button, Checkbox, Switch, Tabs, TextInput } from '@mantine/core'
import { dayBounds, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { IconArrowDownRight, IconArrowUpRight, IconCheck, IconDownload, IconTrash } from '@tabler/icons-react'
import { t, translateText } from '#lib/i18n.ts'
import { useState } from 'react'
import { EquipmentTesting } from '#delivery/equipment/EquipmentTesting.tsx'
import { ErrorBanner, StaleBanner } from '#ui/Banner.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { Legend } from '#ui/Chart/Legend.tsx'
import { ChartSkeleton } from '#ui/Chart/ChartSkeleton.tsx'
import type { ChartModel, PaletteIndex } from '#ui/Chart/model.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { MonthField } from '#ui/date/MonthField.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import { Empty } from '#ui/Empty.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Figure } from '#ui/Figure.tsx'
import { LastReported } from '#ui/LastReported.tsx'
import { Row } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Segments } from '#ui/Segments.tsx'
import { type Status, StatusDot } from '#ui/StatusDot.tsx'
import { Tag } from '#ui/Tag.tsx'
import { customerColours } from '#ui/theme/customer-colours.ts'
import classes from './Components.module.css'

const day = dayBounds('2026-11-20')
const gap = { fromMs: day.fromMs + 13.4 * hourMs, toMs: day.fromMs + 13.8 * hourMs }
const span = { fromMs: day.fromMs + 12 * hourMs, toMs: day.fromMs + 15 * hourMs }
const x = Array.from({ length: 156 }, (_, i) => span.fromMs + i * minuteMs)
const wave = (ms: number) =>
  330 + 80 * Math.sin((ms - span.fromMs) / (28 * minuteMs)) + 25 * Math.sin((ms - span.fromMs) / (7 * minuteMs))
const power: ChartModel = {
  series: [{ name: 'Power', unit: 'kW', kind: 'line', colour: 1, x, y: x.map((ms) => wave(ms)), estimated: [gap] }],
  span,
  unit: 'kW',
  decimals: 1,
  fromZero: true,
  thresholds: [{ name: 'Alert', value: 520, plate: 'below' }],
  gaps: [{ ...gap, words: 'No telemetry 13:24–13:48' }],
  liveEnd: 'dot',
}
const noId = '00000000-0000-4000-8000-000000000000'

type Row = { id: string; instance: string; up: boolean; load: number }
const rows: Row[] = Array.from({ length: 128 }, (_, i) => ({
  id: String(i),
  instance: i % 9 === 4 ? 'Ammoniakanlæg, kølehal A og B, Esbjerg Havn' : `Nordhavn Køl ${(i % 3) + 1}`,
  up: i % 2 === 0,
  load: (i * 37) % 101,
}))

const meanings: [PaletteIndex, string][] = [
  [1, 'Own measurement (follows the customer)'],
  [2, 'Cost, price line'],
  [3, 'Negative price, state of charge'],
  [4, 'Second market'],
  [5, 'Third market'],
  [6, 'Required, expected, baseline (dashed)'],
]
const states: [Status, string][] = [
  ['fresh', 'Fresh'],
  ['stale', 'Stale'],
  ['failed', 'Failed'],
  ['off', 'Off'],
]

const Direction = ({ up }: { up: boolean }) => (
  <span className={classes.direction} data-up={up || undefined}>
    {up ? <IconArrowUpRight size={14} aria-hidden /> : <IconArrowDownRight size={14} aria-hidden />}
    <span>{up ? translateText('Increased') : translateText('Decreased')}</span>
  </span>
)

const columnsOf = (): Columns<Row> => [
  column.text('instance', t('Instance'), (row) => row.instance, { card: 'lead', cut: 28, sort: true }),
  column.cell('direction', t('Direction'), (row) => <Direction up={row.up} />),
  column.number('load', t('Delta Load (%)'), (row) => row.load, { sort: true }),
]

/** All components on one page, for developers. */
const Components = () => {
  const [date, setDate] = useState('2026-11-20')
  const [month, setMonth] = useState('2026-11')
  const [range, setRange] = useState({ start: '2026-11-14', end: '2026-11-20' })
  const [asked, setAsked] = useState(false)
  const [testing, setTesting] = useState(false)
  const [connector, setConnector] = useState('2')
  return (
    <main className={classes.page}>
      <header>
        <h1>Gridmast components</h1>
        <p className="gm-meta">Inter · 13/20 base · 8-pixel rhythm · radius 8 and 12</p>
      </header>
      <div className={classes.columns}>
        <div>
          <Panel title="Buttons">
            <div className={classes.row}>
              <Button>Submit</Button>
              <Button variant="default" leftSection={<IconDownload stroke={1.8} />}>
                Export
              </Button>
              <Button variant="light">Apply</Button>
              <Button variant="subtle">Cancel</Button>
              <Button color="red" leftSection={<IconTrash stroke={1.8} />} onClick={() => setAsked(true)}>
                Delete
              </Button>
              <Button loading>Sending</Button>
              <ExportButton onExport={async () => {}} />
            </div>
          </Panel>
          <Panel title="Equipment Testing" note="of an instance that there is not: it says why it is empty">
            <Button variant="default" onClick={() => setTesting(true)}>
              Equipment Testing
            </Button>
          </Panel>
          <Panel title="Inputs">
            <div className={classes.inputs}>
              <TextInput label="Name" withAsterisk defaultValue="Kølehal A" />
              <TextInput
                label="Email"
                withAsterisk
                defaultValue="mads@nordhavn"
                error={t('Value must be a valid email')}
              />
              <TextInput
                label="Tax value"
                defaultValue="119,00"
                description="Decimal or integer"
                rightSection="Kr/mwh"
                rightSectionWidth={64}
              />
              <TextInput label="Customer" disabled defaultValue="Nordhavn Frost A/S" />
              <DateField label="Start Date" value={date} onChange={setDate} />
              <MonthField label="Month" value={month} onChange={setMonth} />
              <RangeField label="Date range" value={range} onChange={setRange} />
            </div>
            <div className={classes.row}>
              <Checkbox label="Remember login" defaultChecked />
              <Checkbox label="Off" />
              <Switch label="Enabled" defaultChecked />
            </div>
          </Panel>
          <Panel title="Customer colours" note="ten shades, text checked">
            {['#0b2545', '#6a2c70', '#00a3ad', '#f2b705', '#d7263d'].map((hex) => {
              const { shades, light } = customerColours(hex)
              return (
                <div key={hex} className={classes.shades}>
                  <span className="gm-num">{hex}</span>
                  <span>
                    {shades.map((shade) => (
                      <i key={shade} style={{ background: shade }} />
                    ))}
                  </span>
                  <b style={{ background: light.fill, color: light.onFill }}>Submit</b>
                </div>
              )
            })}
          </Panel>
        </div>
        <div>
          <Panel title="Tabs and switches">
            <Tabs defaultValue="Events">
              <Tabs.List>
                {['Events', 'Market', 'Signal', 'Request Bid'].map((name) => (
                  <Tabs.Tab key={name} value={name}>
                    {name}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </Tabs>
            <div className={classes.row}>
              <Segments
                label="Connector"
                data={['1', '2', '3'].map((value) => ({ value, label: value }))}
                value={connector}
                onChange={setConnector}
              />
            </div>
          </Panel>
          <Panel title="Badges and states">
            <div className={classes.row}>
              <Tag kind="up" icon={<IconCheck />}>
                Won
              </Tag>
              <Tag>Lost</Tag>
              <Tag kind="warn">Settlements not found</Tag>
              <Tag kind="brand">Charging</Tag>
              <Tag kind="down">Faulted</Tag>
              <Tag kind="outline">{t('Simulated')}</Tag>
            </div>
            <div className={classes.row}>
              {states.map(([status, words]) => (
                <Row key={status} as="span" inline gap={6} nowrap>
                  <StatusDot status={status} /> {words}
                </Row>
              ))}
            </div>
          </Panel>
          <Panel title="Table" bleed>
            <DataTable
              label="Instances"
              columns={columnsOf()}
              rows={rows}
              rowKey={(row) => row.id}
              numbered
              pageSize={5}
              warnRow={(row) => row.id === '2'}
            />
          </Panel>
          <Panel title="Empty, waiting, error">
            <div className={classes.pair}>
              <Empty title={t('No Records To Display')}>No events from 14.11. to 20.11.2026</Empty>
              <ChartSkeleton height={130} />
            </div>
            <StaleBanner title={t('Stale.')}>Last report 22 min ago, edge-esb-01</StaleBanner>
            <ErrorBanner title="Prices could not be loaded." onRetry={() => {}}>
              503, next try in 30 s
            </ErrorBanner>
          </Panel>
        </div>
        <div>
          <ChartPanel
            title="Chart"
            note="threshold, gap, estimated, crosshair, live end"
            compact
            height={200}
            model={power}
            legend={[
              { name: t('Measured'), colour: 1, line: true },
              { name: t('Estimated'), colour: 1, line: true, dashed: true },
            ]}
            foot={<LastReported at={span.toMs} />}
          />
          <Panel title="Chart palette" note="in this order">
            <ol className={classes.palette}>
              {meanings.map(([index, words]) => (
                <li key={index}>
                  <Legend keys={[{ name: words, colour: index, line: true, dashed: index === 6 }]} />
                </li>
              ))}
            </ol>
          </Panel>
          <Panel title="Type">
            <div className={classes.row}>
              <Figure value={429.1} decimals={1} unit="kW" size="l" />
              <Figure value="1234.567" decimals={3} />
              <Figure value={null} />
            </div>
          </Panel>
        </div>
      </div>
      <EquipmentTesting
        opened={testing}
        instance={{ _id: noId, name: 'Nordhavn Køl 1', signalId: noId }}
        edge={{ _id: noId, name: 'edge-nord-01', codeVersion: 'v4.4.0' }}
        onClose={() => setTesting(false)}
      />
      <ConfirmDialog
        opened={asked}
        title="Delete group"
        confirm="Yes"
        danger
        onConfirm={() => setAsked(false)}
        onClose={() => setAsked(false)}
      >
        Deleting a group also deletes its devices.
      </ConfirmDialog>
    </main>
  )
}

export default Components
