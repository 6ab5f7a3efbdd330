import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconBolt, IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { say, useTranslation } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { flat, linkTo } from './entries.ts'
import { useNav } from './nav-context.ts'

/** Ctrl/Cmd-K: pages and instances. */
export const Palette = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { customerId } = useUser()
  const { sidebar, profile } = useNav()
  const hasHome = sidebar.some(({ key }) => key === '/')
  const groups: SpotlightActionGroupData[] = [
    {
      group: t('Pages'),
      actions: flat([...sidebar, ...profile]).map((entry) => ({
        id: entry.key,
        label: say(entry.title),
        leftSection: <entry.icon size={17} stroke={1.6} />,
        onClick: () => void navigate(linkTo(entry)),
      })),
    },
    {
      group: t('Instances'),
      actions: hasHome
        ? customerId.instances.map(({ _id, name, market, area }) => ({
            id: _id,
            label: name,
            description: [area, ...market].filter(Boolean).join(' · '),
            leftSection: <IconBolt size={17} stroke={1.6} />,
            onClick: () => void navigate({ to: '/', search: { instance: _id } }),
          }))
        : [],
    },
  ].filter((group) => group.actions.length > 0)
  return (
    <Spotlight
      actions={groups}
      attributes={{ content: { 'aria-label': t('Search or jump to') } }}
      shortcut={['mod + K']}
      highlightQuery={false}
      scrollable
      overlayProps={{ blur: 0, className: 'gm-scrim' }}
      maxHeight={420}
      nothingFound={t('Nothing found')}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.8} />,
        placeholder: t('Search or jump to'),
        'aria-label': t('Search or jump to'),
      }}
    />
  )
}
