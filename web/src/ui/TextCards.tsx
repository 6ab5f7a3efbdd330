import { Skeleton } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { Dialog } from './Dialog.tsx'
import { LoadError, type QueryState } from './LoadError.tsx'
import { Empty } from './Empty.tsx'
import { Pager } from './Pager.tsx'
import { excerptOf } from './plain-text.ts'
import { PlainText } from './PlainText.tsx'
import classes from './TextCards.module.css'

type CardProps = {
  title: string
  /** Below the title: subject and date. */
  meta: ReactNode
  text: string
  tools?: ReactNode
}

/** Three lines of a text, and the full text in a popup. */
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
  /** Title of the error. */
  failed: string
  items: readonly T[]
  renderItem: (item: T) => ReactNode
  /** Reason for an empty list. */
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
