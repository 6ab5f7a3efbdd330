import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import type { Customer } from '@gridmast/contract/user.ts'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'

type Props = { instances: Customer['instances']; chosen: string; onChoose: (instanceId: string) => void }

/** Another instance for the card it stands in; nothing where there is only one. */
export const InstanceMenu = ({ instances, chosen, onChoose }: Props) => {
  const { t } = useTranslation()
  if (instances.length < 2) return null
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Tooltip label={t('Choose an instance')}>
          <ActionIcon aria-label={t('Choose an instance')}>
            <IconChevronDown size={16} stroke={1.8} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {instances.map(({ _id, name }) => (
          <Menu.Item
            key={_id}
            onClick={() => onChoose(_id)}
            rightSection={_id === chosen && <IconCheck size={14} aria-hidden />}
            aria-current={_id === chosen || undefined}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
