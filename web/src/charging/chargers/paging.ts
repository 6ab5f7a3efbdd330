import { limits } from '@gridmast/contract/limits.ts'
import { usePageSize } from '#lib/phone.ts'

/** Rows of a page of tags or sessions. */
export const useRows = ({ limit, page = 1 }: { limit?: number | undefined; page?: number | undefined }) => {
  const usual = usePageSize(limits.evPageSize)
  const pageSize = limit ?? usual
  return { page, pageSize, skip: (page - 1) * pageSize }
}
