import { Skeleton } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { Dialog } from './Dialog.tsx'
import { LoadError, type QueryState, Empty } from './Loaded.tsx'
import { Pager } from './Pager.tsx'
import classes from './TextCards.module.css'

/** Plain text with headings (`### `) and lists (`- `), for the changelog and notes; it has no other markup. */
export type Block = { kind: 'heading' | 'paragraph'; text: string } | { kind: 'list'; items: string[] }

export const blocksOf = (text: string): Block[] => {
  const blocks: Block[] = []
  let isOpen = false
  for (const line of text.split('\n')) {
    const [, heading] = /^#{2,6} (.+)$/.exec(line) ?? []
    const [, item] = /^\s*[-*] (.+)$/.exec(line) ?? []
    const last = isOpen ? blocks.at(-1) : undefined
    isOpen = line.trim() !== '' && !heading
    if (heading) blocks.push({ kind: 'heading', text: heading })
    else if (item && last?.kind === 'list') last.items.push(item)
    else if (item) blocks.push({ kind: 'list', items: [item] })
    else if (!isOpen) continue
    else if (last?.kind === 'list' && /^\s/.test(line)) last.items.push(`${last.items.pop() ?? ''} ${line.trim()}`)
    else if (last?.kind === 'paragraph') last.text += `\n${line}`
    else blocks.push({ kind: 'paragraph', text: line })
  }
  return blocks
}

/** One line for truncated text; headings are omitted when there is other text. */
export const excerptOf = (text: string): string => {
  const blocks = blocksOf(text)
  const said = blocks.filter(({ kind }) => kind !== 'heading')
  return (said.length > 0 ? said : blocks)
    .map((block) => (block.kind === 'list' ? block.items.join(' · ') : block.text))
    .join(' ')
    .replaceAll('`', '')
}

/** Every second part is between backquotes; parts have no key other than their position. */
const withCode = (text: string): ReactNode[] =>
  // oxlint-disable-next-line react/no-array-index-key
  text.split('`').map((part, i, parts) => (i % 2 === 1 && i < parts.length - 1 ? <code key={i}>{part}</code> : part))

const shown = (block: Block, key: number) => {
  if (block.kind === 'list')
    return (
      <ul key={key}>
        {block.items.map((item, i) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i}>{withCode(item)}</li>
        ))}
      </ul>
    )
  const Line = block.kind === 'heading' ? 'h3' : 'p'
  return <Line key={key}>{withCode(block.text)}</Line>
}

/** Text of a customer, an operator or a changelog, rendered by React, so that it never becomes markup. */
export const PlainText = ({ children }: { children: string }) => (
  <div className={classes.text}>{blocksOf(children).map(shown)}</div>
)

type CardProps = {
  title: string
  meta: ReactNode
  text: string
  tools?: ReactNode
}

export const TextCard = ({ title, meta, text, tools }: CardProps) => {
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <h2>
          <button type="button" aria-haspopup="dialog" onClick={() => setOpened(true)}>
            {title}
          </button>
        </h2>
        {tools}
      </div>
      <div className={classes.meta}>{meta}</div>
      <p className={classes.cut}>{excerptOf(text)}</p>
      <Dialog opened={opened} onClose={close} size={640} title={title}>
        <div className={classes.meta}>{meta}</div>
        <PlainText>{text}</PlainText>
      </Dialog>
    </li>
  )
}

type Props<T> = {
  label: string
  query: QueryState
  failed: string
  items: readonly T[]
  renderItem: (item: T) => ReactNode
  emptyReason?: string
  /** A card before the others; with it an empty list needs no text. */
  first?: ReactNode
  paging: { page: number; total: number; onPage: (page: number) => void }
}

export const TextCards = <T,>({ label, query, failed, items, renderItem, emptyReason, first, paging }: Props<T>) => {
  const { page, total, onPage } = paging
  return (
    <>
      <LoadError query={query} title={failed} />
      {query.isPending && <span role="status" aria-label={t('Loading')} />}
      <ul className={classes.cards} aria-label={label}>
        {first && <li>{first}</li>}
        {query.isPending &&
          ['a', 'b', 'c'].map((key) => (
            <li key={key} className={classes.card}>
              <Skeleton height={16} width="60%" animate={false} />
              <Skeleton height={12} width="35%" mt={8} animate={false} />
              <Skeleton height={52} mt={10} animate={false} />
            </li>
          ))}
        {items.map(renderItem)}
      </ul>
      {!first && query.data !== undefined && items.length === 0 && <Empty title={t(m.noRecords)}>{emptyReason}</Empty>}
      <Pager page={page} pages={Math.ceil(total / limits.pageSize)} onPage={onPage} />
    </>
  )
}
