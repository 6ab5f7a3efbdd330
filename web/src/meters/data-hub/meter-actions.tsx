import type { Data } from '@gridmast/contract/call.ts'
import { findMeterGroups, type Meter, type MeterGroup } from '@gridmast/contract/meters/data-hub.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callKey } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'

const dialogsFile = () => import('./MeterDialogs.tsx')
const AddKeyDialog = lateDialog(
  async () => (await dialogsFile()).AddKeyDialog,
  ({ opened }) => opened,
)
const KeyDialog = lateDialog(
  async () => (await dialogsFile()).KeyDialog,
  ({ group }) => group !== null,
)
const MeterSettingsDialog = lateDialog(
  async () => (await dialogsFile()).MeterSettingsDialog,
  ({ editing }) => editing !== null,
)

export type MeterOfGroup = { groupId: string; meter: Meter }

/** Actions on keys and meters that the user may do, with their dialogs; both tabs share them. */
export const useMeterDialogs = (onRemoved?: () => void) => {
  const [adding, setAdding] = useState(false)
  const [group, setGroup] = useState<MeterGroup | null>(null)
  const [meter, setMeter] = useState<MeterOfGroup | null>(null)
  const mayEdit = useCan('data-hub.edit')
  const mayAdd = useCan('data-hub.key')
  const actions: MeterActions = {
    onAddKey: mayAdd ? () => setAdding(true) : undefined,
    onEditGroup: mayEdit ? setGroup : undefined,
    onConfigure: mayEdit ? (one, { _id }) => setMeter({ groupId: _id, meter: one }) : undefined,
  }
  const dialogs = (
    <>
      <AddKeyDialog opened={adding} onClose={() => setAdding(false)} />
      <KeyDialog group={group} onClose={() => setGroup(null)} {...(onRemoved ? { onRemoved } : {})} />
      <MeterSettingsDialog editing={meter} onClose={() => setMeter(null)} />
    </>
  )
  return { actions, dialogs }
}

/** Puts the answered meter into the cached list, so that no old value is visible while the list is read again. */
export const useUpdateMeter = () => {
  const queries = useQueryClient()
  return (meter: Meter) =>
    queries.setQueryData<Data<typeof findMeterGroups>>(
      callKey(findMeterGroups),
      (before) =>
        before && {
          ...before,
          groups: before.groups.map((group) => ({
            ...group,
            meterIdData: group.meterIdData.map((one) => (one.id === meter.id ? meter : one)),
          })),
        },
    )
}

export type MeterActions = {
  /** Absent without the right. */
  onAddKey?: (() => void) | undefined
  onEditGroup?: ((group: MeterGroup) => void) | undefined
  onConfigure?: ((meter: Meter, group: MeterGroup) => void) | undefined
}
