import { Checkbox } from '@mantine/core'
import { downloadMeters, type Meter, type MeterGroup } from '@gridmast/contract/meters/data-hub.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, daysBetween, today } from '@gridmast/contract/time.ts'
import { useId, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { digits } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import { DownloadForm } from '#ui/DownloadForm.tsx'
import { Fields } from '#ui/FormParts.tsx'
import { Segments } from '#ui/Segments.tsx'
import { groupText } from './meter-words.ts'
import classes from './data-hub.module.css'
import { Grid, Stack } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'

type Props = {
  groups: readonly MeterGroup[]
  /** The meter on screen is selected at first; without one all meters with readings. */
  chosen?: string
  opened: boolean
  onClose: () => void
}

/** Consumption and cost of meters over a range of days, as an Excel file. */
export const MeterDownloadDialog = ({ groups, chosen, opened, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} size={560} title={t('Download Excel')}>
    {opened && <Choice groups={groups} onClose={onClose} {...(chosen ? { chosen } : {})} />}
  </Dialog>
)

const resolutions = ['own', 'hour', 'day'] as const
type Resolution = (typeof resolutions)[number]
const resolutionNames = { own: 'As metered', hour: 'Hour', day: 'Day' } as const satisfies Record<Resolution, string>

const rowsPerDay = (resolution: Resolution, meter: Meter) =>
  resolution === 'day' ? 1 : resolution === 'hour' || meter.resolution === 'hour' ? 24 : 96
/** Room for the head of a sheet. */
const headRows = 100

const refusalOf = (meters: number, days: number, rows: number): string | null => {
  if (meters === 0) return m.meterRequired
  if (days > limits.exportDays) return m.exportTooLong(limits.exportDays)
  return rows > limits.exportRows - headRows ? m.exportTooLarge(limits.exportRows) : null
}

const everyGroup = ''

const Choice = ({ groups, chosen: first, onClose }: Omit<Props, 'opened'>) => {
  const now = today(useNow(60_000))
  const [groupId, setGroupId] = useState(everyGroup)
  const [selected, setSelected] = useState(() => {
    if (first) return new Set([first])
    const all = groups.flatMap(({ meterIdData }) => meterIdData)
    return new Set(all.filter(({ lastRead }) => lastRead !== null).map(({ id }) => id))
  })
  const [range, setRange] = useState({ start: addDays(now, -30), end: addDays(now, -1) })
  const [resolution, setResolution] = useState<Resolution>('own')
  const visible = groups.filter(({ _id }) => groupId === everyGroup || _id === groupId)
  const chosen = visible.flatMap(({ meterIdData }) => meterIdData).filter(({ id }) => selected.has(id))
  const days = daysBetween(range.start, range.end) + 1
  const rows = chosen.reduce((sum, meter) => sum + days * rowsPerDay(resolution, meter), 0)
  const refusal = refusalOf(chosen.length, days, rows)
  const choose = (ids: readonly string[], isSelected: boolean) => {
    const others = [...selected].filter((id) => !ids.includes(id))
    setSelected(new Set(isSelected ? [...others, ...ids] : others))
  }
  const download = () =>
    downloadCall(downloadMeters, {
      query: { format: 'xlsx', resolution },
      body: { devices: chosen.map(({ id }) => id), startDate: range.start, endDate: range.end },
    })
  return (
    <DownloadForm
      refusal={refusal && translateText(refusal)}
      download={download}
      amount={t('Meters: {{meters}} · rows: {{rows}}', {
        meters: chosen.length,
        rows: digits.count(rows),
      })}
      onClose={onClose}
    >
      <Fields>
        <Select
          label={t('Group')}
          data={[
            { value: everyGroup, label: t('All groups') },
            ...groups.map((group) => ({ value: group._id, label: groupText(group) })),
          ]}
          value={groupId}
          allowDeselect={false}
          onChange={(next) => setGroupId(next ?? everyGroup)}
        />
        <RangeField label={t('Date')} value={range} max={now} onChange={setRange} />
      </Fields>
      <Segments
        label={t('Resolution')}
        value={resolution}
        onChange={setResolution}
        data={resolutions.map((value) => ({ value, label: t(resolutionNames[value]) }))}
      />
      <Stack gap={12} className={classes.choices}>
        {visible.map((group) => (
          <MeterChoice key={group._id} group={group} selected={selected} onChoose={choose} />
        ))}
      </Stack>
    </DownloadForm>
  )
}

type ChoiceProps = {
  group: MeterGroup
  selected: ReadonlySet<string>
  onChoose: (ids: readonly string[], isSelected: boolean) => void
}

const MeterChoice = ({ group, selected, onChoose }: ChoiceProps) => {
  const title = useId()
  const ids = group.meterIdData.map(({ id }) => id)
  const count = ids.filter((id) => selected.has(id)).length
  return (
    <div role="group" aria-labelledby={title}>
      <Checkbox
        label={
          <span id={title} className="gm-num">
            {groupText(group)}
          </span>
        }
        disabled={ids.length === 0}
        checked={ids.length > 0 && count === ids.length}
        indeterminate={count > 0 && count < ids.length}
        onChange={({ currentTarget }) => onChoose(ids, currentTarget.checked)}
      />
      {ids.length > 0 && (
        <Grid as="ul" fill={200} gap={16} rowGap={8} above={8} style={{ paddingLeft: 28 }}>
          {group.meterIdData.map(({ id, dataHub, lastRead }) => (
            <li key={id}>
              <Checkbox
                label={dataHub.name}
                {...(lastRead === null ? { description: t('No readings yet') } : {})}
                checked={selected.has(id)}
                onChange={({ currentTarget }) => onChoose([id], currentTarget.checked)}
              />
            </li>
          ))}
        </Grid>
      )}
    </div>
  )
}
