import { sql } from 'kysely'
import { m } from '@gridmast/contract/messages.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { getRow, selectRows } from '#platform/records/rows.ts'
import { byName } from '#platform/http/list-query.ts'

/** Throws when the operator has disabled the licence. */
export const getLicence = async (tx: Tx, customerId: string, licenceId: string) => {
  const licence = await getRow(tx, customerId, 'licence', { licence_id: licenceId }, [
    'licence_id',
    'type',
    'settings',
    'enabled',
  ])
  if (!licence.enabled) throw new Refusal(403, m.licenseNotActive)
  return licence
}

export const findLicences = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'licence', { enabled: true })
    .select(['licence_id', 'type', 'settings'])
    .orderBy(byName(sql`name`))
    .execute()
