import { Pagination } from '@mantine/core'
import { useTranslation } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'

type Props = { page: number; pages: number; onPage: (page: number) => void }

/** Two pages at each margin and a range of five around the current one; one each on phones. Nothing where there is one page. */
export const Pager = ({ page, pages, onPage }: Props) => {
  const { t } = useTranslation()
  const around = usePhone() ? 1 : 2
  if (pages <= 1) return null
  return (
    <Pagination
      total={pages}
      value={page}
      onChange={onPage}
      siblings={around}
      boundaries={around}
      size={28}
      getControlProps={(control) => ({ 'aria-label': control === 'next' ? t('Next page') : t('Previous page') })}
      getItemProps={(n) => ({ 'aria-label': t('Page {{n}}', { n }) })}
    />
  )
}
