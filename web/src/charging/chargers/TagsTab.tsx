import { t } from '#lib/i18n.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { Stack } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { GroupList } from './GroupList.tsx'
import { TagList } from './TagList.tsx'
import type { evSearch } from './search.ts'
import classes from './ev-charging.module.css'

/** Who may charge: tags, and the groups that hold them together. */
export const TagsTab = ({ search, onSearch }: UrlProps<typeof evSearch>) => {
  const view = search.subTab ?? 'tag'
  return (
    <Stack gap={16}>
      <div className={classes.views}>
        <Segments
          label={t('Tags or groups')}
          value={view}
          onChange={(next) =>
            onSearch({ subTab: next === 'tag' ? undefined : next, page: undefined, groupId: undefined })
          }
          data={[
            { value: 'tag', label: t('Tag') },
            { value: 'group', label: t('Group') },
          ]}
        />
      </div>
      {view === 'tag' ? (
        <TagList search={search} onSearch={onSearch} />
      ) : (
        <GroupList onOpen={(groupId) => onSearch({ subTab: undefined, groupId, page: undefined })} />
      )}
    </Stack>
  )
}
