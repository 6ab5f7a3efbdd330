import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import classes from './ChoiceMenu.module.css'

type Props = {
  /** What choosing means, for people who hear it. */
  label: string
  choices: { value: string; label: string }[]
  chosen: string
  onChoose: (value: string) => void
  /** The name stands in the card's title already. */
  titled?: boolean
}

/** What a card shows, by name, and what else it could show; only the name where there is nothing to choose. */
export const ChoiceMenu = ({ label, choices, chosen, onChoose, titled = false }: Props) => {
  const text = choices.find(({ value }) => value === chosen)?.label ?? ''
  const name = !titled && <span className={classes.name}>{text}</span>
  if (choices.length < 2) return name
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.button ?? ''} aria-label={titled ? label : `${text}, ${label}`}>
          {name}
          <IconChevronDown size={titled ? 16 : 14} stroke={1.8} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((choice) => (
          <Menu.Item
            key={choice.value}
            onClick={() => onChoose(choice.value)}
            rightSection={choice.value === chosen && <IconCheck size={14} aria-hidden />}
            aria-current={choice.value === chosen || undefined}
          >
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
