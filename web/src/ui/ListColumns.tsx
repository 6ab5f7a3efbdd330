import { ActionIcon, Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import type { densities } from '#lib/url-state.ts'
import { Dialog } from './Dialog.tsx'
import { DialogFoot, Row, Under } from './Layout.tsx'
import classes from './ListTools.module.css'
import { type Choice, OrderedChoice } from './OrderedChoice.tsx'
import { Segments } from './Segments.tsx'

export type Density = (typeof densities)[number]

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
        <OrderedChoice choices={columns} chosen={visible} onChange={onColumns} />
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
