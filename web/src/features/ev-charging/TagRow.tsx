import { ActionIcon, Switch } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'

/** What the rows of tags and of their groups share. */

type FlagProps = {
  row: { name: string; action: boolean }
  saving: boolean
  /** Without it the flag is only told. */
  onActive: ((action: boolean) => void) | undefined
}

export const ActiveFlag = ({ row, saving, onActive }: FlagProps) => {
  const { t } = useTranslation()
  if (!onActive) return row.action ? t('Active') : t('Inactive')
  return (
    <Switch
      withThumbIndicator={false}
      aria-label={t('{{name}} active', { name: row.name })}
      checked={row.action}
      disabled={saving}
      onChange={(event) => onActive(event.currentTarget.checked)}
    />
  )
}

type ActsProps = { name: string; onEdit: () => void; onRemove: () => void }

export const EditActs = ({ name, onEdit, onRemove }: ActsProps) => {
  const { t } = useTranslation()
  return (
    <>
      <ActionIcon aria-label={t('Edit {{name}}', { name })} onClick={onEdit}>
        <IconPencil size={16} stroke={1.8} />
      </ActionIcon>
      <ActionIcon aria-label={t('Delete {{name}}', { name })} onClick={onRemove}>
        <IconTrash size={16} stroke={1.8} />
      </ActionIcon>
    </>
  )
}
