import { m } from '@gridmast/contract/messages.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { getRow, selectRows } from '#platform/records/rows.ts'

/** Throws when the operator has disabled the licence. */
export const getLicence = async (tx: Tx, customerId: string, licenceId: string) => {
  const found = await getRow(tx, customerId, 'licence', { licence_id: licenceId }, [
    'licence_id',
    'type',
    'settings',
    'enabled',
  ])
  if (!found.enabled) throw new Refusal(403, m.licenseNotActive)
  return found
}

export const findLicences = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'licence', { enabled: true })
    .select(['licence_id', 'type', 'settings'])
    .orderBy('name')
    .execute()
