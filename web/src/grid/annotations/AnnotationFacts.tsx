import { Button } from '@mantine/core'
import { type Annotation, type Note } from '@gridmast/contract/delivery/annotations.ts'
import { localDateOf } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { momentWords } from '#ui/Chart/range-words.ts'
import { Row, Stack, Text } from '#ui/Layout.tsx'
import type { Marked } from './search.ts'

type Props = {
  annotation: Annotation
  marked: Marked
  onEdit: (note: Note) => void
  onRemove: (note: Note) => void
}

/** What a mark stands for, with the way to it. */
export const AnnotationFacts = ({ annotation: one, marked, onEdit, onRemove }: Props) => {
  const times = momentWords(Date.parse(one.from), one.to ? Date.parse(one.to) : null)
  if (one.kind === 'note') return <NoteFacts note={one} times={times} onEdit={onEdit} onRemove={onRemove} />
  const day = localDateOf(Date.parse(one.from))
  return (
    <Stack gap={6}>
      <Text weight="strong">{one.kind === 'activation' ? `${t('Activation')} ${one.market}` : one.name}</Text>
      <Text size="small" ink="ink2">
        {times}
      </Text>
      {one.kind === 'activation' && (
        <Text size="small">
          {t('Requested {{percent}} %, score {{score}}', {
            percent: digits.percent(one.deltaLoad),
            score: digits.score(one.score),
          })}
        </Text>
      )}
      <Row gap={8}>
        {one.kind === 'activation' && (
          <Link
            className="gm-link"
            to="/demandResponse/$market"
            params={{ market: one.market }}
            search={{ instance: marked._id, dateRange: `${day}..${day}` }}
          >
            {t('Open the event')}
          </Link>
        )}
        {one.kind === 'alert' && (
          <Link
            className="gm-link"
            to="/e3-Legacy/$source"
            params={{ source: one.source }}
            search={{ trigger: one._id }}
          >
            {t('Open the alert')}
          </Link>
        )}
        {one.kind === 'plan' && (
          <Link
            className="gm-link"
            to="/insights/loadShifting"
            search={{ ...(marked.kind ? {} : { load: marked._id }), plan: one._id }}
          >
            {t('Open the plan')}
          </Link>
        )}
      </Row>
    </Stack>
  )
}

type NoteProps = Pick<Props, 'onEdit' | 'onRemove'> & { note: Note; times: string }

const NoteFacts = ({ note, times, onEdit, onRemove }: NoteProps) => {
  return (
    <Stack gap={6}>
      <Text style={{ overflowWrap: 'anywhere' }}>{note.text}</Text>
      <Text size="small" ink="ink2">
        {[times, note.author, note.instanceId === null && t('All charts')].filter(Boolean).join(' · ')}
      </Text>
      {note.mayChange && (
        <Row gap={8}>
          <Button size="xs" variant="default" onClick={() => onEdit(note)}>
            {t('Edit')}
          </Button>
          <Button size="xs" variant="default" onClick={() => onRemove(note)}>
            {t('Delete')}
          </Button>
        </Row>
      )}
    </Stack>
  )
}
