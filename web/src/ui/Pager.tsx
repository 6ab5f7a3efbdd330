import { Group, Pagination } from '@mantine/core'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'

/** `margin` pages at each end and `range` pages around the current one; null is a gap of more than one page. */
export const pageNumbers = (page: number, pages: number, margin: number, range: number): (number | null)[] => {
  const first = Math.max(1, Math.min(page - Math.floor(range / 2), pages - range + 1))
  const run = (from: number, length: number) => Array.from({ length }, (_, i) => from + i)
  const all = [...run(1, margin), ...run(first, range), ...run(pages - margin + 1, margin)]
  const numbers = [...new Set(all)].filter((n) => n >= 1 && n <= pages).toSorted((a, b) => a - b)
  return numbers.flatMap((n, i) => {
    const before = numbers[i - 1] ?? n - 1
    return before === n - 1 ? [n] : before === n - 2 ? [n - 1, n] : [null, n]
  })
}

type Props = { page: number; pages: number; onPage: (page: number) => void }

/** Two pages at each end and five around the current one; one and the current one on phones. Nothing for a single page. */
export const Pager = ({ page, pages, onPage }: Props) => {
  const phone = usePhone()
  const [margin, range] = phone ? [1, 1] : [2, 5]
  if (pages <= 1) return null
  return (
    <Pagination.Root total={pages} value={page} onChange={onPage} size={28}>
      <Group gap={phone ? 0 : 8}>
        <Pagination.Previous aria-label={t('Previous page')} />
        {pageNumbers(page, pages, margin, range).map((n, i) =>
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
