import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import classes from './FilterFold.module.css'

type Props = {
  /** Number of active filters. */
  chosen: number
  actions?: ReactNode
  children: ReactNode
}

/** Filters with actions at the end; on a phone behind a button with the number of active ones. */
export const FilterFold = ({ chosen, actions, children }: Props) => {
  const phone = usePhone()
  const [isOpen, setOpen] = useState(false)
  if (!phone)
    return (
      <>
        {children}
        {actions && <div data-end>{actions}</div>}
      </>
    )
  return (
    <div className={classes.fold}>
      <div className={classes.bar}>
        <Button
          variant="default"
          leftSection={<IconFilter stroke={1.8} aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('Filters')}
          {chosen > 0 && <span className={classes.chosen}>{chosen}</span>}
        </Button>
        {actions}
      </div>
      {isOpen && children}
    </div>
  )
}
