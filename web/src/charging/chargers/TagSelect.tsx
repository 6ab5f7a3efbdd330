import { Select } from '@mantine/core'
import { type ChargerTag, findChargerTags, getChargerTag } from '@gridmast/contract/charging/tags.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'

/** As many as the call gives at once; text or a group narrows them. */
const shown = 100
const typingMs = 300
const all = 'all'

const labelOf = ({ name, tagID }: ChargerTag) => `${name} · ${tagID}`

type Props = {
  groupId?: string | undefined
  /** Names the choice of no tag. */
  none?: string
  w?: number | string
  disabled?: boolean
  value: string | undefined
  onChange: (tagId: string | undefined) => void
}

/** One of the company's tags, found by text on the server, or none of them in particular. */
export const TagSelect = ({ groupId, none, w = 180, disabled = false, value, onChange }: Props) => {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim().slice(0, 100), typingMs)
  const [page] =
    useCall(findChargerTags, {
      sent: { query: { limit: shown, ...(groupId ? { groupId } : {}), ...(search ? { search } : {}) } },
      keepWhile: groupId ?? all,
    }).data ?? []
  const tags = page?.tags ?? []
  const isListed = value === undefined || tags.some(({ _id }) => _id === value)
  const own = useCall(getChargerTag, { sent: { params: { id: value ?? '' } }, enabled: !isListed }).data?.tag
  const listed = [...(own && !isListed ? [own] : []), ...tags]
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
