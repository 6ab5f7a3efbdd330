import { useState } from 'react'
import type { UrlProps } from '#lib/url-state.ts'
import type { EconomicsSearch, economicsSearch } from '#settlement/economics/search.ts'
import { ReconciliationCard } from './ReconciliationCard.tsx'
import { StatementList } from './StatementList.tsx'
import { ImportStatementDialog } from './ImportStatement.tsx'

const nothing: Partial<EconomicsSearch> = {
  statement: undefined,
  show: undefined,
  cause: undefined,
  instanceId: undefined,
  page: undefined,
  sort: undefined,
  order: undefined,
}

/** The operator's statements beside what is settled: all of them, or one line by line. */
export const ReconciliationTab = ({ search, onSearch }: UrlProps<typeof economicsSearch>) => {
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
      <ImportStatementDialog
        opened={isTaking}
        onClose={() => setTaking(false)}
        onImported={(id) => {
          setTaking(false)
          open(id)
        }}
      />
    </>
  )
}
