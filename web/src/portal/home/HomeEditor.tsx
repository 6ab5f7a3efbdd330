import { Button, Switch } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { saveDashboard } from '@gridmast/contract/people/customer.ts'
import type { DashboardConfig } from '@gridmast/contract/people/user.ts'
import { type ComponentProps, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { FaultsCard } from '#delivery/alerts/FaultsCard.tsx'
import { EventsCard } from '#delivery/events/EventsCard.tsx'
import { t } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { useDo } from '#lib/query.ts'
import { useCan, useRenewUser, useUser } from '#lib/user.tsx'
import { UnsavedChanges } from '#ui/Dialog.tsx'
import { Note, Row, Text } from '#ui/Layout.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { LocalCellCard } from './CellCard.tsx'
import { CellSettings, cardNames, SoldCellSettings } from './CellSettings.tsx'
import editor from './HomeEditor.module.css'
import classes from './Home.module.css'
import {
  cellsOf,
  formOf,
  isOn,
  withCellMoved,
  type DashboardRow,
  rows,
  soldCells,
  soldCellsOf,
  widthOf,
} from './layout.ts'

const SoldCard = part(async () => (await import('#trading/bid-requests/SoldCard.tsx')).SoldCard)

const rowNames = {
  enableEnergyRow: 'Energy now',
  enableFirstRow: 'First row',
  enableSecondRow: 'Second row',
  enableThirdRow: 'Sold capacity',
  enableEventFaultRow: 'Events and faults',
} as const

type EditedCellProps = ComponentProps<'div'> & { isPreview: boolean; settings: ReactNode }

const EditedCell = ({ isPreview, settings, children, ...cell }: EditedCellProps) => (
  <div {...cell} data-arranged={!isPreview || undefined}>
    <div className={editor.cell} data-edited={!isPreview || undefined}>
      {!isPreview && settings}
      <div className={editor.card} inert={!isPreview}>
        {children}
      </div>
    </div>
  </div>
)

const HomeEditor = ({ config, onClose }: { config: DashboardConfig; onClose: () => void }) => {
  const { name: company, biddingMarkets } = useUser().customerId
  const maySeeMeters = useCan('data-hub.overview')
  const renewUser = useRenewUser()
  const [draft, setDraft] = useState(config)
  const [isPreview, setPreview] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const [dragged, setDragged] = useState<{ row: DashboardRow; from: number } | null>(null)
  const [isDone, setDone] = useState(false)
  const saving = useDo(saveDashboard)
  const isChanged = JSON.stringify(formOf(draft)) !== JSON.stringify(formOf(config))

  const onSaved = ({ e3DashboardConfig }: Data<typeof saveDashboard>) => {
    renewUser((user) => ({ ...user, customerId: { ...user.customerId, e3DashboardConfig } }))
    setDone(true)
  }
  const [reset, resetDialog] = useConfirm({
    call: saveDashboard,
    sent: () => ({ body: { dashboard: null } }),
    title: t('Reset the dashboard?'),
    text: t('The dashboard of your operator is restored for everyone at {{company}}.', { company }),
    confirm: t('Reset'),
    onDone: onSaved,
  })
  // After the next render, in which nothing is unsaved, so that no confirmation appears.
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isDone) close()
  }, [isDone])

  const move = (row: DashboardRow, from: number, to: number) => {
    const cell = cellsOf(draft, row)[from]
    if (!cell || from === to || to < 0 || to >= row.cells.length) return
    setDraft(withCellMoved(draft, row, from, to))
    setAnnouncement(
      t('{{card}} is now {{n}} of {{total}}', { card: t(cardNames[cell.card]), n: to + 1, total: row.cells.length }),
    )
  }
  /** The third row is off by default, the others are on. */
  const isVisible = (flag: keyof typeof rowNames) =>
    flag === 'enableThirdRow' ? draft.enableThirdRow === true : isOn(draft, flag)
  const sold = soldCellsOf(draft, biddingMarkets)
  const rowSwitch = (flag: keyof typeof rowNames) =>
    !isPreview && (
      <div key={flag} className={classes.whole}>
        <Row nowrap gap={12} style={{ minHeight: 32 }}>
          <Switch
            withThumbIndicator={false}
            label={t(rowNames[flag])}
            checked={isVisible(flag)}
            onChange={(event) => setDraft({ ...draft, [flag]: event.currentTarget.checked })}
          />
          {!isVisible(flag) && <Text ink="ink3">{t('Hidden')}</Text>}
        </Row>
      </div>
    )

  return (
    <>
      <section className={editor.bar} aria-label={t('Arrange dashboard')}>
        <Note ink="ink2">{t('Saved changes apply to everyone at {{company}}.', { company })}</Note>
        <Row gap={8}>
          <Switch
            withThumbIndicator={false}
            label={t('Preview')}
            checked={isPreview}
            onChange={(event) => setPreview(event.currentTarget.checked)}
          />
          <Button variant="default" onClick={() => reset()}>
            {t('Reset')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            loading={saving.isPending}
            onClick={() => saving.mutate({ body: { dashboard: formOf(draft) } }, { onSuccess: onSaved })}
          >
            {t('Save')}
          </Button>
        </Row>
      </section>
      <p role="status" className="gm-hidden">
        {announcement}
      </p>
      <div className={classes.grid}>
        {rows.map((row) => {
          const cells = cellsOf(draft, row)
          return [
            rowSwitch(row.flag),
            ...(isOn(draft, row.flag) ? cells : []).map((cell, i) => (
              <EditedCell
                key={cell.name}
                className={classes[widthOf(cell, cells)]}
                isPreview={isPreview}
                data-over={dragged?.row === row && dragged.from !== i ? true : undefined}
                onDragOver={(event) => dragged?.row === row && event.preventDefault()}
                onDrop={(event) => {
                  event.preventDefault()
                  if (dragged?.row === row) move(row, dragged.from, i)
                  setDragged(null)
                }}
                settings={
                  <CellSettings
                    cell={cell}
                    cards={row.cards.filter((card) => card !== 'dataHub' || maySeeMeters)}
                    place={i}
                    places={row.cells.length}
                    onChange={(next) => setDraft({ ...draft, [cell.name]: next })}
                    onMove={(to) => move(row, i, to)}
                    onDrag={(isDragged) => setDragged(isDragged ? { row, from: i } : null)}
                  />
                }
              >
                <LocalCellCard cell={cell} />
              </EditedCell>
            )),
          ]
        })}
        {rowSwitch('enableThirdRow')}
        {isVisible('enableThirdRow') &&
          soldCells.map((name) => {
            const soldCell = sold.find((one) => one.name === name)
            if (isPreview && !soldCell) return null
            return (
              <EditedCell
                key={name}
                className={classes.half}
                isPreview={isPreview}
                settings={
                  <SoldCellSettings
                    name={name}
                    cell={draft[name] ?? {}}
                    onChange={(next) => setDraft({ ...draft, [name]: next })}
                  />
                }
              >
                {soldCell && (
                  <Suspense>
                    <SoldCard market={soldCell.market} instanceId={soldCell.groupId} />
                  </Suspense>
                )}
              </EditedCell>
            )
          })}
        {rowSwitch('enableEventFaultRow')}
        {isOn(draft, 'enableEventFaultRow') && (
          <>
            <div className={classes.events} inert>
              <EventsCard eventType={undefined} onEventType={() => {}} />
            </div>
            <div className={classes.faults} inert>
              <FaultsCard />
            </div>
          </>
        )}
      </div>
      {resetDialog}
      <UnsavedChanges unsaved={isChanged && !isDone} />
    </>
  )
}

export default HomeEditor
