import type { Cause, ShownLines } from '@gridmast/contract/choices.ts'
import { useState } from 'react'
import { ReconciliationCard } from './ReconciliationCard.tsx'
import { StatementList } from './StatementList.tsx'
import { TakeStatementDialog } from './TakeStatement.tsx'

export type ReconciliationSearch = {
  statement?: string | undefined
  show?: ShownLines | undefined
  cause?: Cause | undefined
  instanceId?: string | undefined
  page?: number | undefined
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
}
type Props = { search: ReconciliationSearch; onSearch: (part: ReconciliationSearch) => void }

const nothing: ReconciliationSearch = {
  statement: undefined,
  show: undefined,
  cause: undefined,
  instanceId: undefined,
  page: undefined,
  sort: undefined,
  order: undefined,
}

/** The operator's statements beside what is settled: all of them, or one line by line. */
export const ReconciliationTab = ({ search, onSearch }: Props) => {
  const [isTaking, setTaking] = useState(false)
  const { statement, show = 'unsettled', cause, instanceId } = search
  const open = (id: string | undefined) => onSearch({ ...nothing, statement: id })
  return (
    <>
      {statement ? (
        <ReconciliationCard
          id={statement}
          filter={{ show, cause, instanceId }}
          onFilter={(part) =>
            onSearch({
              ...part,
              ...('show' in part ? { show: part.show === 'unsettled' ? undefined : part.show } : {}),
              page: undefined,
            })
          }
          onClose={() => open(undefined)}
        />
      ) : (
        <StatementList onOpen={open} onTake={() => setTaking(true)} />
      )}
      <TakeStatementDialog
        opened={isTaking}
        onClose={() => setTaking(false)}
        onTaken={(id) => {
          setTaking(false)
          open(id)
        }}
      />
    </>
  )
}
