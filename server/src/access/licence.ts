import { m } from '@gridmast/contract/messages.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'

/** A licence of the customer; refused where the operator has switched it off. */
export const getLicence = async (tx: Tx, customerId: string, licenceId: string) => {
  const found = await tx
    .selectFrom('licence')
    .select(['licence_id', 'type', 'settings', 'enabled'])
    .where('customer_id', '=', customerId)
    .where('licence_id', '=', licenceId)
    .executeTakeFirst()
  if (!found) throw notFound()
  if (!found.enabled) throw new Refusal(403, m.licenseNotActive)
  return found
}

/** Those that are not switched off, by name. */
export const findLicences = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('licence')
    .select(['licence_id', 'type', 'settings'])
    .where('customer_id', '=', customerId)
    .where('enabled', '=', true)
    .orderBy('name')
    .execute()
