import { Button, Tabs } from '@mantine/core'
import { type Settlement, settlementFormula, settlementRecord } from '@gridmast/contract/settlement/economics.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { IconDatabase, IconRosetteDiscountCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { downloadCall } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { DownloadButton } from '#ui/ExportButton.tsx'
import { Hint } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DialogFoot, Note, Row } from '#ui/Layout.tsx'
import { Tag } from '#ui/Tag.tsx'
import { BiddingTab } from './BiddingTab.tsx'
import { type Formula, stateOf } from './economics-words.ts'
import { StateTag } from './settlement-columns.tsx'
import { SettlementTab } from './SettlementTab.tsx'
import classes from './economics.module.css'

type Props = { row: Settlement | null; onClose: () => void }

export const SettlementDialog = ({ row, onClose }: Props) => (
  <Dialog
    opened={row !== null}
    onClose={onClose}
    large
    size={960}
    title={
      row && (
        <Row as="span" inline gap={8} rowGap={4}>
          {formatDate(row.date)} · {row.instanceIdName}
          <StateTag state={stateOf(row.status.CM)} />
          {row.simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
        </Row>
      )
    }
  >
    {row && <Contents key={`${row.instanceId} ${row.date} ${row.type}`} row={row} onClose={onClose} />}
  </Dialog>
)

const Contents = ({ row, onClose }: { row: Settlement; onClose: () => void }) => {
  const [version, setVersion] = useState<number | undefined>()
  const { instanceId, date, type } = row
  const read = useCall(settlementFormula, {
    sent: { params: { instanceId, date, type }, query: version === undefined ? {} : { version } },
  })
  const { data } = read
  const panel = (contents: (formula: Formula) => ReactNode) =>
    data ? contents(data) : <Loaded query={read} failed={t('The settlement could not be loaded.')} waiting={280} />
  return (
    <>
      <Note below={8} size="small">
        {type} · {format.mw(row.capacity)}
        {data && data.versions.length > 1 && ` · ${t('version {{n}}', { n: data.version })}`}
      </Note>
      {data && !data.isNewest && (
        <Row gap={8} below={8} ink="warn" size="small" plate="warn-tint" className={classes.older} role="status">
          <span>{t('An earlier version, which a correction has replaced.')}</span>
          <Button size="compact-sm" variant="default" onClick={() => setVersion(undefined)}>
            {t('Show the newest')}
          </Button>
        </Row>
      )}
      <Tabs defaultValue="settlement" keepMounted={false} className={classes.parts ?? ''}>
        <Tabs.List className={classes.tabs ?? ''}>
          <Tabs.Tab value="settlement">{t('Settlement (€)')}</Tabs.Tab>
          <Tabs.Tab value="price">{t('Bidding Price (€)')}</Tabs.Tab>
          <Tabs.Tab value="capacity">{t('Bidding Capacity (MW)')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settlement" pt={14}>
          {panel((formula) => (
            <SettlementTab row={row} formula={formula} onVersion={setVersion} />
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="price" pt={14}>
          {panel((formula) => (
            <BiddingTab kind="price" row={row} formula={formula} />
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="capacity" pt={14}>
          {panel((formula) => (
            <BiddingTab kind="capacity" row={row} formula={formula} />
          ))}
        </Tabs.Panel>
      </Tabs>
      <DialogFoot pinned className={classes.foot}>
        <Row as="p" gap={6} nowrap grow={200} ink="ink3" size="label">
          <IconDatabase size={14} stroke={1.6} aria-hidden />
          {data && sourceLine(row, data)}
        </Row>
        <Hint
          words={
            row.isClosed ? t('All inputs of this settlement, sealed for audits.') : t('Sealed once the day is over.')
          }
        >
          <DownloadButton
            icon={<IconRosetteDiscountCheck size={16} stroke={1.8} />}
            disabled={!row.isClosed}
            onDownload={() => downloadCall(settlementRecord, { params: { instanceId, date, type } })}
          >
            {t('Flight record')}
          </DownloadButton>
        </Hint>
        <Button variant="default" onClick={onClose}>
          {t('Close')}
        </Button>
      </DialogFoot>
    </>
  )
}

const sourceLine = ({ source }: Settlement, { madeAt }: Formula): string => {
  const at = formatDateTime(Date.parse(madeAt))
  if (source === 'statement') return t('Source: the operator’s statement, imported {{at}}', { at })
  if (source === 'result-file') return t('Source: the operator’s result file, settled {{at}}', { at })
  return t('Source: own bids, published prices, measured power and the contract, settled {{at}}', { at })
}
