import type { CompanyAddress } from '@gridmast/contract/user.ts'
import type { Tx } from '#platform/records.ts'

/** The own row, held until the transaction ends. */
export const lockCustomer = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('customer')
    .select(['name', 'address', 'second_factor_required'])
    .where('customer_id', '=', customerId)
    .forUpdate()
    .executeTakeFirstOrThrow()

export const saveAddress = async (tx: Tx, customerId: string, address: CompanyAddress) => {
  await tx
    .updateTable('customer')
    .set({ address: JSON.stringify(address) })
    .where('customer_id', '=', customerId)
    .execute()
}

/** False when the person who asks has no second factor: then the next thing refused would be this person. */
export const requireSecondFactorOfAll = async (tx: Tx, customerId: string, userId: string): Promise<boolean> => {
  const saved = await tx
    .updateTable('customer')
    .set({ second_factor_required: true })
    .where('customer_id', '=', customerId)
    .where((where) =>
      where.exists(
        where
          .selectFrom('app_user')
          .select('user_id')
          .whereRef('app_user.customer_id', '=', 'customer.customer_id')
          .where('user_id', '=', userId)
          .where('totp_confirmed_at', 'is not', null),
      ),
    )
    .executeTakeFirst()
  return saved.numUpdatedRows === 1n
}

export const leaveSecondFactorFree = async (tx: Tx, customerId: string) => {
  await tx
    .updateTable('customer')
    .set({ second_factor_required: false })
    .where('customer_id', '=', customerId)
    .execute()
}
