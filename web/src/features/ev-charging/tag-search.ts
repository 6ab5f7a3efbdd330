import { limits } from '@gridmast/contract/limits.ts'

export type TagsSearch = {
  subTab?: 'tag' | 'group' | undefined
  groupId?: string | undefined
  createTagModal?: boolean | undefined
  limit?: number | undefined
  page?: number | undefined
}

export const rowsOf = ({ limit = limits.evPageSize, page = 1 }: Pick<TagsSearch, 'limit' | 'page'>) => ({
  page,
  pageSize: limit,
  skip: (page - 1) * limit,
})
