import { limits } from '@gridmast/contract/limits.ts'
import { usePageSize } from '#lib/phone.ts'

export type TagsSearch = {
  subTab?: 'tag' | 'group' | undefined
  groupId?: string | undefined
  search?: string | undefined
  createTagModal?: boolean | undefined
  limit?: number | undefined
  page?: number | undefined
}

export const useRows = ({ limit, page = 1 }: Pick<TagsSearch, 'limit' | 'page'>) => {
  const usual = usePageSize(limits.evPageSize)
  const pageSize = limit ?? usual
  return { page, pageSize, skip: (page - 1) * pageSize }
}
