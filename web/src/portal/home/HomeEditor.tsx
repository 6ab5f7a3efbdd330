import { Button, Switch } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { saveDashboard } from '@gridmast/contract/people/customer.ts'
import type { DashboardConfig } from '@gridmast/contract/people/user.ts'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { EventsCard } from '#delivery/events/EventsCard.tsx'
import { FaultsCard } from '#delivery/alerts/FaultsCard.tsx'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { useCan, useRenewUser, useUser } from '#lib/user.tsx'
import { Row, Text } from '#ui/Layout.tsx'
import { UnsavedChanges } from '#ui/Dialog.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { CellStrip, cardNames, SoldStrip } from './CellStrip.tsx'
import { SecondCell } from './DashboardCell.tsx'
import editor from './HomeEditor.module.css'
import classes from './Home.module.css'
import { cellsOf, formOf, isOn, moved, type Row as HomeRow, rows, soldCells, soldCellsOf, widthOf } from './layout.ts'

const SoldCard = lazy(() =>
  import('#trading/bid-requests/SoldCard.tsx').then((module) => ({ default: module.SoldCard })),
)

const rowNames = {
  enableFirstRow: 'First row',
  enableSecondRow: 'Second row',
  enableThirdRow: 'Sold capacity',
  enableEventFaultRow: 'Events and faults',
} as const

const HomeEditor = ({ config, onClose }: { config: DashboardConfig; onClose: () => void }) => {
  const { name: company, biddingMarkets } = useUser().customerId
  const maySeeMeters = useCan('data-hub.overview')
  const renewUser = useRenewUser()
  const [draft, setDraft] = useState(config)
  const [isPreview, setPreview] = useState(false)
  const [told, setTold] = useState('')
  const [held, setHeld] = useState<{ row: HomeRow; from: number } | null>(null)
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
    text: t('It goes back to what your operator set up, for everyone at {{company}}.', { company }),
    confirm: t('Reset'),
    onDone: onSaved,
  })
  // After the next render, in which nothing is unsaved, so that no confirmation appears.
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isDone) close()
  }, [isDone])

  const move = (row: HomeRow, from: number, to: number) => {
    const cell = cellsOf(draft, row)[from]
    if (!cell || from === to || to < 0 || to >= row.cells.length) return
    setDraft(moved(draft, row, from, to))
    setTold(
      t('{{card}} is now {{n}} of {{total}}', { card: t(cardNames[cell.card]), n: to + 1, total: row.cells.length }),
    )
  }
  /** The third row is off by default, the others are on. */
  const isShown = (flag: keyof typeof rowNames) =>
    flag === 'enableThirdRow' ? draft.enableThirdRow === true : isOn(draft, flag)
  const sold = soldCellsOf(draft, biddingMarkets)
  const rowSwitch = (flag: keyof typeof rowNames) =>
    !isPreview && (
      <div key={flag} className={classes.whole}>
        <div className={editor.row}>
          <Switch
            withThumbIndicator={false}
            label={t(rowNames[flag])}
            checked={isShown(flag)}
            onChange={(event) => setDraft({ ...draft, [flag]: event.currentTarget.checked })}
          />
          {!isShown(flag) && <Text ink="ink3">{t('Hidden')}</Text>}
        </div>
      </div>
    )

  return (
    <>
      <section className={editor.bar} aria-label={t('Arrange dashboard')}>
        <p>{t('Everyone at {{company}} sees it as you save it here.', { company })}</p>
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
        {told}
      </p>
      <div className={classes.grid}>
        {rows.map((row) => {
          const cells = cellsOf(draft, row)
          const shown = isOn(draft, row.flag) && cells
          return [
            rowSwitch(row.flag),
            ...(shown || []).map((cell, i) => (
              <div
                key={cell.name}
                className={classes[widthOf(cell, cells)]}
                data-arranged={!isPreview || undefined}
                data-over={held?.row === row && held.from !== i ? true : undefined}
                onDragOver={(event) => held?.row === row && event.preventDefault()}
                onDrop={(event) => {
                  event.preventDefault()
                  if (held?.row === row) move(row, held.from, i)
                  setHeld(null)
                }}
              >
                <div className={editor.cell} data-edited={!isPreview || undefined}>
                  {!isPreview && (
                    <CellStrip
                      cell={cell}
                      cards={row.cards.filter((card) => card !== 'dataHub' || maySeeMeters)}
                      place={i}
                      places={row.cells.length}
                      onChange={(next) => setDraft({ ...draft, [cell.name]: next })}
                      onMove={(to) => move(row, i, to)}
                      onHold={(isHeld) => setHeld(isHeld ? { row, from: i } : null)}
                    />
                  )}
                  <div className={editor.card} inert={!isPreview}>
                    <SecondCell cell={cell} />
                  </div>
                </div>
              </div>
            )),
          ]
        })}
        {rowSwitch('enableThirdRow')}
        {isShown('enableThirdRow') &&
          soldCells.map((name) => {
            const shown = sold.find((one) => one.name === name)
            if (isPreview && !shown) return null
            return (
              <div key={name} className={classes.half} data-arranged={!isPreview || undefined}>
                <div className={editor.cell} data-edited={!isPreview || undefined}>
                  {!isPreview && (
                    <SoldStrip
                      name={name}
                      cell={draft[name] ?? {}}
                      onChange={(next) => setDraft({ ...draft, [name]: next })}
                    />
                  )}
                  <div className={editor.card} inert={!isPreview}>
                    {shown && (
                      <Suspense>
                        <SoldCard market={shown.market} instanceId={shown.groupId} />
                      </Suspense>
                    )}
                  </div>
                </div>
              </div>
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
