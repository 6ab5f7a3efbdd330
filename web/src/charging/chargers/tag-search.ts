export type TagsSearch = {
  subTab?: 'tag' | 'group' | undefined
  groupId?: string | undefined
  search?: string | undefined
  createTagModal?: boolean | undefined
  limit?: number | undefined
  page?: number | undefined
}
