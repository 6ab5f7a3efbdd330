import type { Tx } from '#platform/records/records.ts'

/** Confirms addresses as with the mailed link. */
export const confirmedByHand = async (tx: Tx, customerId: string, emails: readonly string[]): Promise<void> => {
  const at = new Date(0)
  const rows = emails.map((email) => ({
    customer_id: customerId,
    email: email.toLowerCase(),
    confirmed_at: at,
    requested_at: at,
    expires_at: at,
  }))
  await tx.insertInto('address_confirmation').values(rows).execute()
}
