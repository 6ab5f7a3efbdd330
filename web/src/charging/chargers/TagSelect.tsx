import { type ChargerTag, findChargerTags, getChargerTag } from '@gridmast/contract/charging/tags.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { Select } from '#ui/Select.tsx'

/** The most that the call returns at once. */
const maxTags = 100
const typingMs = 300
const all = 'all'

const labelOf = ({ name, tagID }: ChargerTag) => `${name} · ${tagID}`

type Props = {
  groupId?: string | undefined
  /** Label of the choice without a tag. */
  none?: string
  w?: number | string
  disabled?: boolean
  value: string | undefined
  onChange: (tagId: string | undefined) => void
}

export const TagSelect = ({ groupId, none, w = 180, disabled = false, value, onChange }: Props) => {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim().slice(0, 100), typingMs)
  const [page] =
    useCall(findChargerTags, {
      sent: { query: { limit: maxTags, ...(groupId ? { groupId } : {}), ...(search ? { search } : {}) } },
      keepWhile: groupId ?? all,
    }).data ?? []
  const tags = page?.tags ?? []
  const isListed = value === undefined || tags.some(({ _id }) => _id === value)
  const chosen = useCall(getChargerTag, { sent: { params: { id: value ?? '' } }, enabled: !isListed }).data?.tag
  const listed = [...(chosen && !isListed ? [chosen] : []), ...tags]
  const isChosen = (text: string) => text === (none ?? t('All')) || listed.some((tag) => labelOf(tag) === text)
  return (
    <Select
      label={t('Tag')}
      w={w}
      disabled={disabled}
      allowDeselect={false}
      searchable
      // The field shows the choice as its text, which is no search.
      onSearchChange={(text) => setTyped(isChosen(text) ? '' : text)}
      filter={({ options }) => options}
      nothingFoundMessage={page ? t('No such tag') : t('Loading')}
      data={[
        { value: all, label: none ?? t('All') },
        ...listed.map((tag) => ({ value: tag._id, label: labelOf(tag) })),
      ]}
      value={value ?? all}
      onChange={(next) => onChange(next === all || next === null ? undefined : next)}
    />
  )
}
