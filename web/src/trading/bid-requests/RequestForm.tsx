import { Button, Switch, Textarea } from '@mantine/core'
import {
  type BidRequest,
  type BidWarning,
  createBidRequest,
  updateBidRequest,
} from '@gridmast/contract/trading/bid-requests.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import type { BidPreview } from '@gridmast/contract/trading/bid-basis.ts'
import { addDays, formatDate } from '@gridmast/contract/time.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { UseFormReturnType } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t, translateText } from '#lib/i18n.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { FormActions } from '#ui/FormParts.tsx'
import { ErrorBanner } from '#ui/Loaded.tsx'
import { DialogFoot, Grid, Note, Row, Stack, SubSection } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Select } from '#ui/Select.tsx'
import classes from './bid-requests.module.css'
import { slotWords, warningOf } from './bid-words.ts'
import { ContractBid } from './ContractBid.tsx'
import { ExcludedDays } from './ExcludedDays.tsx'
import { FillTools } from './FillTools.tsx'
import { DayStrip, EarnedStrip } from './RequestStrips.tsx'
import { bodyOf, type Draft, draftOf, newDraft, useBasisAndPreview } from './request-draft.ts'
import { SlotGrid } from './SlotGrid.tsx'
import { type HintKind, hintKinds, hintWords, seriesName, SlotHint } from './SlotHints.tsx'
import type { SlotTexts } from './slot-values.ts'

export type BidInstance = { _id: string; name: string; licenseId: string }

type Props = {
  market: string
  instances: readonly BidInstance[]
  firstOpenDay: string
  /** Chosen in a new request. */
  instanceId: string | undefined
  /** Null: a new request. */
  row: BidRequest | null
  onSaved: (warnings: BidWarning[]) => void
  onReload: () => void
  onCancel: () => void
}

export const RequestForm = (props: Props) => {
  const { market, instances, firstOpenDay, instanceId, row, onSaved, onReload, onCancel } = props
  const chosen = instances.find(({ _id }) => _id === instanceId) ?? instances[0]
  const [isStale, setStale] = useState(false)
  const [isOverlapRefused, setOverlapRefused] = useState(false)
  const licenceOf = (groupId: string) => instances.find(({ _id }) => _id === groupId)?.licenseId
  const initial: Draft = row ? draftOf(row) : newDraft(market, chosen?._id ?? '', firstOpenDay)
  const { form, field, checkbox, formProps, unsaved, sending, waitS } = useCallForm(
    row ? updateBidRequest : createBidRequest,
    {
      initial,
      toBody: (values) => ({
        ...bodyOf(market, values),
        ...(row ? { updatedAt: row.updatedAt } : { licenseId: licenceOf(values.groupId) ?? '', biddingMarket: market }),
      }),
      request: { params: { id: row?._id } },
      onDone: ({ warnings }) => onSaved(warnings),
      onRefused: ({ message }) => {
        setStale(message === m.bidRequestChanged)
        setOverlapRefused(message === m.bidsOverlap)
        if (message === m.bidsOverlap) rereadPreview()
      },
    },
  )
  const draft = form.values
  const errorOf = (path: string) => form.errors[path]
  const { basis, preview, rereadPreview } = useBasisAndPreview({
    market,
    draft,
    licenseId: licenceOf(draft.groupId),
    requestId: row?._id,
  })
  useFreeDay(row === null ? basis?.freeDay : null, form, firstOpenDay)
  const [auction, setAuction] = useState(0)
  const [hint, setHint] = useState<HintKind>('mean')
  const series = basis?.prices[auction] ?? basis?.prices[0]
  const warnings = preview?.warnings ?? []
  const warnedSlots = new Set(warnings.flatMap(({ slots }) => slots))
  const changeTexts = (texts: SlotTexts) => {
    for (const kind of ['capacity', 'price', 'regulationPrice'] as const) {
      if (texts[kind] === draft[kind]) continue
      form.setFieldValue(kind, texts[kind])
      texts[kind].forEach((text, slot) => text !== draft[kind][slot] && form.clearFieldError(`${kind}.${slot}`))
    }
  }
  const isClosed = draft.startDate !== '' && draft.startDate < firstOpenDay
  return (
    <form aria-label={row ? t('Edit Request') : t('Create Request')} {...formProps}>
      {isStale && (
        <Stack gap={8} align="start" below={12}>
          <ErrorBanner title={translateText(m.bidRequestChanged)}>
            {t('Your input is kept until you load it again.')}
          </ErrorBanner>
          <Button variant="default" onClick={onReload}>
            {t('Load again')}
          </Button>
        </Stack>
      )}
      {isOverlapRefused && preview?.overlap !== null && (
        <Stack below={12}>
          <ErrorBanner title={translateText(m.bidsOverlap)}>
            {preview?.overlap && <OverlapLink market={market} overlap={preview.overlap} />}
          </ErrorBanner>
        </Stack>
      )}
      <div className={classes.head}>
        <Select
          label={t('Instance')}
          data={instances.map(({ _id, name }) => ({ value: _id, label: name }))}
          allowDeselect={false}
          data-autofocus
          {...field('groupId')}
        />
        <DateField
          label={t('Start Date')}
          min={firstOpenDay}
          required
          {...field('startDate')}
          error={errorOf('startDate') ?? (isClosed ? translateText(m.bidsClosed) : null)}
        />
        <DateField
          label={t('End Date')}
          min={draft.startDate || firstOpenDay}
          max={addDays(draft.startDate || firstOpenDay, limits.bidRequestDays - 1)}
          required
          {...field('endDate')}
        />
        <Switch withThumbIndicator={false} label={t('Custom bidding')} {...checkbox('customBidding')} />
      </div>
      {draft.customBidding ? (
        <SubSection
          above={16}
          title={t('Capacity/Price')}
          note={t(slotWords(market))}
          action={<FillTools market={market} texts={draft} onChange={changeTexts} />}
        >
          {['capacity', 'price', 'regulationPrice'].map(
            (path) =>
              errorOf(path) && (
                <Note key={path} below={8} ink="down" role="alert">
                  {errorOf(path)}
                </Note>
              ),
          )}
          <Row gap={16} rowGap={8} justify="between" below={8} ink="ink3" size="small">
            <Segments
              label={t('Shown under each slot')}
              value={hint}
              onChange={setHint}
              data={hintKinds.map((value) => ({ value, label: t(hintWords[value]) }))}
            />
            {basis && basis.prices.length > 1 && hint !== 'ready' && (
              <Segments
                label={t('Auction')}
                value={String(Math.min(auction, basis.prices.length - 1))}
                onChange={(next) => setAuction(Number(next))}
                data={basis.prices.map((one, i) => ({ value: String(i), label: seriesName(one, market) }))}
              />
            )}
          </Row>
          <SlotGrid
            market={market}
            texts={draft}
            onChange={changeTexts}
            errorOf={errorOf}
            warnedSlots={warnedSlots}
            renderUnder={(slot, isStop) =>
              basis ? (
                <SlotHint market={market} basis={basis} series={series} kind={hint} slot={slot} isStop={isStop} />
              ) : (
                <span className={classes.hint} aria-hidden>
                  {unknownText}
                </span>
              )
            }
          />
          <Note above={8} size="label">
            {t(
              'Arrow keys move, Ctrl+D copies the value to all following slots, and columns of a spreadsheet can be pasted.',
            )}
          </Note>
          <DayStrip market={market} texts={draft} />
        </SubSection>
      ) : (
        <ContractBid market={market} basis={basis} />
      )}
      <EarnedStrip market={market} preview={preview} />
      <Grid fit={280} gap={20}>
        <ExcludedDays
          days={draft.excludedDays}
          startDate={draft.startDate}
          endDate={draft.endDate}
          onChange={(days) => form.setFieldValue('excludedDays', days)}
          errorOf={errorOf}
        />
        <Textarea label={t('Note')} mt={16} {...field('note')} />
      </Grid>
      <DialogFoot pinned className={classes.foot}>
        <FormActions
          onCancel={onCancel}
          sending={sending}
          waitS={waitS}
          disabled={row !== null && !unsaved}
          aside={<Warnings market={market} warnings={warnings} overlap={preview?.overlap ?? null} />}
        >
          {t('Submit request')}
        </FormActions>
      </DialogFoot>
    </form>
  )
}

/** Moves the days of a new request to the first free day, until the user chooses others. */
const useFreeDay = (freeDay: string | null | undefined, form: UseFormReturnType<Draft>, firstOpenDay: string) => {
  const proposed = useRef(firstOpenDay)
  const move = useEffectEvent((day: string) => {
    const values = form.getValues()
    if (day === proposed.current || values.startDate !== proposed.current || values.endDate !== proposed.current) return
    proposed.current = day
    const isUnchanged = !form.isDirty()
    form.setValues({ startDate: day, endDate: day })
    if (isUnchanged) form.resetDirty({ ...values, startDate: day, endDate: day })
  })
  useEffect(() => {
    if (freeDay) move(freeDay)
  }, [freeDay])
}

type Overlap = NonNullable<BidPreview['overlap']>

/** In a new window: the form keeps its values. */
const OverlapLink = ({ market, overlap: { requestId, startDate, endDate } }: { market: string; overlap: Overlap }) => (
  <Link
    to="/demandResponse/$market"
    params={{ market }}
    search={{ tab: 'requestBid', request: requestId }}
    target="_blank"
    className="gm-link"
  >
    {startDate === endDate
      ? t('Open the request of {{day}}', { day: formatDate(startDate) })
      : t('Open the request of {{start}} – {{end}}', { start: formatDate(startDate), end: formatDate(endDate) })}
  </Link>
)

type WarningsProps = { market: string; warnings: readonly BidWarning[]; overlap: Overlap | null }

const Warnings = ({ market, warnings, overlap }: WarningsProps) => {
  const [opened, setOpened] = useState(false)
  const lines = [
    ...(overlap
      ? [
          {
            key: 'overlap',
            words: (
              <span>
                {translateText(m.bidsOverlap)} · <OverlapLink market={market} overlap={overlap} />
              </span>
            ),
          },
        ]
      : []),
    ...warnings.map((warning) => ({ key: warning.kind, words: warningOf(market, warning) })),
  ]
  const others = lines.length - 1
  return (
    <Row gap={8} nowrap align="end" ink="warn" aria-live="polite">
      <Stack as="ul" id="bid-warnings">
        {(opened ? lines : lines.slice(0, 1)).map(({ key, words }) => (
          <Row as="li" key={key} gap={6} nowrap>
            <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
            {words}
          </Row>
        ))}
      </Stack>
      {others > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={opened}
          aria-controls="bid-warnings"
          onClick={() => setOpened(!opened)}
        >
          {opened ? t('Show fewer') : t('{{n}} more', { n: others })}
        </Button>
      )}
    </Row>
  )
}
