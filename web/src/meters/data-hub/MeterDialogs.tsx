import type { MeterGroup } from '@gridmast/contract/meters/data-hub.ts'
import { useState } from 'react'
import { useCan } from '#lib/user.tsx'
import { AddKeyDialog } from './AddKeyDialog.tsx'
import { KeyDialog } from './KeyDialog.tsx'
import type { MeterActions } from './MeterGroups.tsx'
import { type MeterOfGroup, MeterSettingsDialog } from './MeterSettingsDialog.tsx'

/** What this person may do with keys and meters, and the dialogs that do it; both tabs share them. */
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
