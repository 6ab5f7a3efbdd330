import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import type { densities } from '#lib/url-state.ts'
import { Dialog } from './Dialog.tsx'
import { DialogFoot, Row, Stack, Under } from './Layout.tsx'
import classes from './ListTools.module.css'
import { Segments } from './Segments.tsx'

export type Density = (typeof densities)[number]

type Choice = { key: string; title: string; hint?: string }
type Props = {
  /** All columns: the visible ones in their order, then the others. */
  columns: readonly Choice[]
  visible: readonly string[]
  /** Null: the list's own columns. */
  onColumns: (keys: readonly string[] | null) => void
  density: Density
  onDensity: (density: Density) => void
}

/** Visible columns of a list, their order and the height of its rows. */
export const ListColumns = ({ columns, visible, onColumns, density, onDensity }: Props) => {
  const phone = usePhone()
  const [isOpen, setOpen] = useState(false)
  const move = (key: string, by: number) => {
    const others = visible.filter((one) => one !== key)
    onColumns(others.toSpliced(visible.indexOf(key) + by, 0, key))
  }
  return (
    <>
      <ActionIcon
        data-tip={t('Columns of the table')}
        variant="default"
        className={classes.settings ?? ''}
        size={32}
        aria-label={t('Columns of the table')}
        onClick={() => setOpen(true)}
      >
        <IconAdjustmentsHorizontal size={16} stroke={1.8} />
      </ActionIcon>

      <Dialog opened={isOpen} onClose={() => setOpen(false)} size={440} title={t('Columns of the table')}>
        <Stack as="ul" gap={4} className={classes.columns}>
          {columns.map(({ key, title, hint }) => {
            const place = visible.indexOf(key)
            return (
              <Row as="li" key={key} nowrap justify="between" gap={8}>
                <Checkbox
                  label={title}
                  checked={place >= 0}
                  disabled={place >= 0 && visible.length === 1}
                  onChange={({ currentTarget: { checked } }) =>
                    onColumns(checked ? [...visible, key] : visible.filter((one) => one !== key))
                  }
                  {...(hint ? { description: hint } : {})}
                />
                {place >= 0 && (
                  <Row as="span" inline nowrap gap={0}>
                    <ActionIcon
                      aria-label={t('Move {{name}} up', { name: title })}
                      aria-disabled={place === 0 || undefined}
                      onClick={() => place > 0 && move(key, -1)}
                    >
                      <IconArrowUp size={16} stroke={1.8} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={t('Move {{name}} down', { name: title })}
                      aria-disabled={place === visible.length - 1 || undefined}
                      onClick={() => place < visible.length - 1 && move(key, 1)}
                    >
                      <IconArrowDown size={16} stroke={1.8} />
                    </ActionIcon>
                  </Row>
                )}
              </Row>
            )
          })}
        </Stack>
        {!phone && (
          <Row gap={12} justify="between" above={12}>
            <Under as="span">{t('Row height')}</Under>
            <Segments
              label={t('Row height')}
              value={density}
              onChange={onDensity}
              data={[
                { value: 'comfortable', label: t('Comfortable') },
                { value: 'dense', label: t('Dense') },
              ]}
            />
          </Row>
        )}
        <DialogFoot>
          <Button variant="default" onClick={() => onColumns(null)}>
            {t('Standard columns')}
          </Button>
          <Button onClick={() => setOpen(false)}>{t('Done')}</Button>
        </DialogFoot>
      </Dialog>
    </>
  )
}
