import type { Instance } from '@gridmast/contract/people/instances.ts'
import type { LicenceType } from '@gridmast/contract/people/licences.ts'
import { useState } from 'react'
import { EquipmentTesting } from '#delivery/equipment/EquipmentTesting.tsx'
import { AllInstances } from '#delivery/instances/AllInstances.tsx'
import { EditInstance } from '#delivery/instances/EditInstance.tsx'
import { useCan } from '#lib/user.tsx'

/** Privileged users edit the instances, a sudoer tests their equipment. */
export const DetailsTab = ({ licence }: { licence: LicenceType }) => {
  const [editing, setEditing] = useState<Instance | null>(null)
  const [testing, setTesting] = useState<Instance | null>(null)
  const mayEdit = useCan('instance.edit')
  const mayTest = useCan('equipment.control')
  const signal = testing?.signalData.find(({ kind }) => kind === 'power')
  return (
    <>
      <AllInstances
        licence={licence}
        onEdit={mayEdit ? setEditing : undefined}
        onTest={mayTest ? setTesting : undefined}
      />
      <EditInstance instance={editing} onClose={() => setEditing(null)} />
      {testing && signal && (
        <EquipmentTesting
          opened
          instance={{ _id: testing._id, name: testing.name, signalId: signal._id }}
          edge={{
            _id: testing.edgeDetails._id,
            name: testing.edgeDetails.deviceId,
            codeVersion: testing.edgeDetails.properties.codeVersion,
          }}
          onClose={() => setTesting(null)}
        />
      )}
    </>
  )
}
