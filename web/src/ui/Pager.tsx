import { Group, Pagination } from '@mantine/core'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { shownPages } from './shown-pages.ts'

type Props = { page: number; pages: number; onPage: (page: number) => void }

/** Two pages at each end and five around the current one; one and three on phones. Nothing for a single page. */
export const Pager = ({ page, pages, onPage }: Props) => {
  const [margin, range] = usePhone() ? [1, 3] : [2, 5]
  if (pages <= 1) return null
  return (
    <Pagination.Root total={pages} value={page} onChange={onPage} size={28}>
      <Group gap={8}>
        <Pagination.Previous aria-label={t('Previous page')} />
        {shownPages(page, pages, margin, range).map((n, i) =>
          n === null ? (
            <Pagination.Dots key={`gap ${i < margin + 1 ? 'before' : 'after'}`} />
          ) : (
            <Pagination.Control
              key={n}
              active={n === page}
              aria-current={n === page ? 'page' : undefined}
              aria-label={t('Page {{n}}', { n })}
              onClick={() => onPage(n)}
            >
              {n}
            </Pagination.Control>
          ),
        )}
        <Pagination.Next aria-label={t('Next page')} />
      </Group>
    </Pagination.Root>
  )
}
