import { type AnnotationKind, annotationKinds } from '@gridmast/contract/delivery/annotation-kinds.ts'
import {
  type Annotation,
  type Note,
  findAnnotations,
  findChargerAnnotations,
  findSiteAnnotations,
  removeNote,
} from '@gridmast/contract/delivery/annotations.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { IconNote } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { currentMs } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useLiveActivations, useLiveAlerts, useLiveNotes, useLiveResume } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import type { LegendKeys } from '#ui/Chart/ChartPanel.tsx'
import type { ChartMark } from '#ui/Chart/model.ts'
import { startAndEnd } from '#ui/Chart/range.ts'
import { MenuItem } from '#ui/Menu.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { AnnotationFacts } from './AnnotationFacts.tsx'
import { annotationSearch, isHidden, type Marked, withToggled } from './search.ts'
import { lateDialog } from '#ui/late-dialog.tsx'

const NoteDialog = lateDialog(
  async () => (await import('./NoteDialog.tsx')).NoteDialog,
  (props) => props.editing !== null,
)

const colours: Record<AnnotationKind, ChartMark['colour']> = { note: 'ink2', activation: 2, alert: 3, plan: 5 }

const kindName = (kind: AnnotationKind): string =>
  ({ note: t('Notes'), activation: t('Activations'), alert: t('Alerts'), plan: t('Load plans') })[kind]

const wordsOf = (one: Annotation): string => {
  if (one.kind === 'note') return `${t('Note')}: ${one.text}`
  if (one.kind === 'activation') return `${t('Activation')}: ${one.market}`
  return one.kind === 'alert' ? `${t('Alert triggered')}: ${one.name}` : `${t('Load plan')}: ${one.name}`
}

const runsOn = (one: Annotation) => one.kind === 'activation' && one.to === null

const markOf = (one: Annotation, { toMs }: Span): ChartMark => ({
  key: one._id,
  kind: one.kind,
  fromMs: Date.parse(one.from),
  toMs: one.to ? Date.parse(one.to) : runsOn(one) ? Math.min(toMs, currentMs()) : null,
  words: wordsOf(one),
  colour: colours[one.kind],
})

const useMarks = ({ kind, _id }: Marked, span: Span) => {
  const times = startAndEnd(span)
  const instance = useCall(findAnnotations, {
    sent: { query: { instanceId: _id, ...times } },
    enabled: kind === undefined,
    keepWhile: _id,
  })
  const charger = useCall(findChargerAnnotations, {
    sent: { query: { chargerId: _id, ...times } },
    enabled: kind === 'charger',
    keepWhile: _id,
  })
  const site = useCall(findSiteAnnotations, {
    sent: { query: { siteId: _id, ...times } },
    enabled: kind === 'site',
    keepWhile: _id,
  })
  return kind ? { charger, site }[kind] : instance
}

/** Notes, activations, alerts and plans of an instance, charger or site for its charts. */
export const useAnnotations = (marked: Marked, span: Span) => {
  const [{ hide }, change] = useUrlState(annotationSearch)
  const mayWrite = useCan('note.edit')
  const [editing, setEditing] = useState<Note | 'new' | null>(null)
  // Not in the popover of its mark, which a click outside closes.
  const [remove, removeDialog] = useConfirm({
    call: removeNote,
    sent: ({ _id }: Note) => ({ params: { id: _id } }),
    title: t('Delete this note?'),
    text: ({ text }) => text,
    confirm: t('Delete'),
    danger: true,
  })
  const { fromMs, toMs } = span
  const query = useMarks(marked, span)
  const reread = () => void query.refetch()
  useLiveNotes(reread)
  useLiveAlerts(reread)
  useLiveActivations((activation) => {
    const isShown = query.data?.annotations.some(({ _id }) => _id === activation._id)
    if (activation.instanceId === marked._id && (activation.ended || !isShown)) reread()
  })
  useLiveResume(reread)

  const annotations = query.data?.annotations
  const marks = useMemo(
    () => (annotations ?? []).filter(({ kind }) => !isHidden(hide, kind)).map((one) => markOf(one, { fromMs, toMs })),
    [annotations, hide, fromMs, toMs],
  )
  const legend: LegendKeys = annotationKinds
    .filter((kind) => isHidden(hide, kind) || annotations?.some((one) => one.kind === kind))
    .map((kind) => ({
      name: kindName(kind),
      colour: colours[kind],
      shown: { on: !isHidden(hide, kind), toggle: () => change({ hide: withToggled(hide, kind) }) },
    }))
  const renderMark = (key: string): ReactNode => {
    const one = annotations?.find(({ _id }) => _id === key)
    return one && <AnnotationFacts annotation={one} marked={marked} onEdit={setEditing} onRemove={remove} />
  }
  return {
    marks,
    /** Also while their marks are hidden. */
    plans: useMemo(() => (annotations ?? []).filter((one) => one.kind === 'plan'), [annotations]),
    legend,
    renderMark,
    /** Null until they are loaded or when they could not be. */
    note: query.error
      ? t('Notes and events could not be loaded.')
      : query.data?.isCut
        ? t('Only the newest marks are shown.')
        : null,
    action: mayWrite && (
      <MenuItem icon={<IconNote />} onClick={() => setEditing('new')}>
        {t('Write note')}
      </MenuItem>
    ),
    dialog: (
      <>
        <NoteDialog marked={marked} editing={editing} span={span} onClose={() => setEditing(null)} />
        {removeDialog}
      </>
    ),
  }
}
