import { UnstyledButton } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import classes from './Segments.module.css'
import { Menu, MenuItem } from './Menu.tsx'

type Props = {
  label: string
  choices: { value: string; label: string }[]
  chosen: string
  onChoose: (value: string) => void
  /** The card's title shows the name already. */
  titled?: boolean
}

/** A menu with the chosen name; only the name without alternatives. */
export const ChoiceMenu = ({ label, choices, chosen, onChoose, titled = false }: Props) => {
  const text = choices.find(({ value }) => value === chosen)?.label ?? ''
  const name = !titled && <span className={classes.name}>{text}</span>
  if (choices.length < 2) return name
  return (
    <Menu
      align="start"
      target={
        <UnstyledButton className={`${classes.button} gm-touch`} aria-label={titled ? label : `${text}, ${label}`}>
          {name}
          <IconChevronDown size={titled ? 16 : 14} stroke={1.8} aria-hidden />
        </UnstyledButton>
      }
    >
      {choices.map((choice) => (
        <MenuItem
          key={choice.value}
          onClick={() => onChoose(choice.value)}
          end={choice.value === chosen && <IconCheck size={14} aria-hidden />}
          aria-current={choice.value === chosen || undefined}
        >
          {choice.label}
        </MenuItem>
      ))}
    </Menu>
  )
}
