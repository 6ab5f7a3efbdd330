import { ActionIcon, Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { Row, Stack } from './Layout.tsx'
import classes from './ListTools.module.css'

export type Choice = { key: string; title: string; hint?: string }
type Props = {
  /** All of them: the chosen ones in their order, then the others. */
  choices: readonly Choice[]
  chosen: readonly string[]
  onChange: (keys: readonly string[]) => void
}

/** At least one of some things, in an order. */
export const OrderedChoice = ({ choices, chosen, onChange }: Props) => {
  const move = (key: string, by: number) => {
    const others = chosen.filter((one) => one !== key)
    onChange(others.toSpliced(chosen.indexOf(key) + by, 0, key))
  }
  return (
    <Stack as="ul" gap={4} className={classes.columns}>
      {choices.map(({ key, title, hint }) => {
        const place = chosen.indexOf(key)
        return (
          <Row as="li" key={key} nowrap justify="between" gap={8}>
            <Checkbox
              label={title}
              checked={place >= 0}
              disabled={place >= 0 && chosen.length === 1}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...chosen, key] : chosen.filter((one) => one !== key))
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
                  aria-disabled={place === chosen.length - 1 || undefined}
                  onClick={() => place < chosen.length - 1 && move(key, 1)}
                >
                  <IconArrowDown size={16} stroke={1.8} />
                </ActionIcon>
              </Row>
            )}
          </Row>
        )
      })}
    </Stack>
  )
}
