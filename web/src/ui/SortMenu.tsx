import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import type { Sorting } from '#lib/url-state.ts'
import { Menu, MenuItem } from './Menu.tsx'

type Props = {
  columns: { key: string; title: string }[]
  order: Sorting['by']
  onSort: (key: string) => void
}

export const SortMenu = ({ columns, order, onSort }: Props) => {
  const Arrow = order?.down ? IconArrowDown : IconArrowUp
  const chosen = columns.find(({ key }) => key === order?.key)
  return (
    <Menu
      stays
      target={
        <Button variant="subtle" size="xs" leftSection={<IconArrowsSort stroke={1.8} aria-hidden />}>
          {chosen ? t('Sorted by {{name}}', { name: chosen.title }) : t('Sort by')}
        </Button>
      }
    >
      {columns.map(({ key, title }) => (
        <MenuItem
          key={key}
          onClick={() => onSort(key)}
          aria-current={key === order?.key || undefined}
          end={
            key === order?.key && (
              <>
                <Arrow size={14} aria-hidden />
                <span className="gm-hidden">{order.down ? t('descending') : t('ascending')}</span>
              </>
            )
          }
        >
          {title}
        </MenuItem>
      ))}
    </Menu>
  )
}
