import { Select } from '@mantine/core'
import { findChargerTags, getChargerTag } from '@gridmast/contract/ev-charging.ts'
import { useTranslation } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'

/** As many as the call gives at once; a company with more narrows them by their group. */
const shown = 100
const all = 'all'

type Props = {
  groupId: string | undefined
  value: string | undefined
  onChange: (tagId: string | undefined) => void
}

/** One of the company's tags, or all. */
export const TagSelect = ({ groupId, value, onChange }: Props) => {
  const { t } = useTranslation()
  const [page] =
    useCall(findChargerTags, { sent: { query: { limit: shown, ...(groupId ? { groupId } : {}) } } }).data ?? []
  const tags = page?.tags ?? []
  const isListed = value === undefined || tags.some(({ _id }) => _id === value)
  const own = useCall(getChargerTag, { sent: { params: { id: value ?? '' } }, enabled: !isListed }).data?.tag
  const listed = [...(own && !isListed ? [own] : []), ...tags]
  const more = (page?.totalCount ?? 0) - tags.length
  return (
    <Select
      label={t('Tag')}
      w={180}
      allowDeselect={false}
      searchable
      nothingFoundMessage={more > 0 ? t('Choose a group to see its tags') : t('No such tag')}
      data={[
        { value: all, label: t('All') },
        ...listed.map(({ _id, name, tagID }) => ({ value: _id, label: `${name} · ${tagID}` })),
      ]}
      value={value ?? all}
      onChange={(next) => onChange(next === all || next === null ? undefined : next)}
    />
  )
}
