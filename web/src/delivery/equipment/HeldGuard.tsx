import type { EquipmentCommand } from '@gridmast/contract/delivery/equipment.ts'
import { localTime } from '@gridmast/contract/time.ts'
import { useBlocker } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'

/** Asks before the page is left while the equipment stands where somebody has set it, also when the window is closed or loaded anew. */
export const HeldGuard = ({ held }: { held: EquipmentCommand | null }) => {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => held !== null,
    enableBeforeUnload: () => held !== null,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      title={t('Leave the equipment where it is?')}
      confirm={t('Leave')}
      danger
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {t('It stays at {{setPoint}} % until you send 0, or until the edge releases it by itself at {{time}}.', {
        setPoint: held?.setPoint ?? 0,
        time: held ? localTime(Date.parse(held.heldUntil)) : '–',
      })}
    </ConfirmDialog>
  )
}
