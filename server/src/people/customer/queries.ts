import type { DashboardForm } from '@gridmast/contract/people/customer.ts'
import type { CompanyAddress } from '@gridmast/contract/people/user.ts'
import { notFound } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { countRows, lockRow, selectRows, updateRows } from '#platform/records/rows.ts'

const columns = ['name', 'address', 'second_factor_required', 'e3_dashboard_config', 'home_dashboard'] as const

export const lockSettings = (tx: Tx, customerId: string) => lockRow(tx, customerId, 'customer', {}, columns)

export const saveAddress = async (tx: Tx, customerId: string, address: CompanyAddress) => {
  await updateRows(tx, customerId, 'customer')
    .set({ address: JSON.stringify(address) })
    .execute()
  rowChanged(tx, 'customer', customerId)
}

/** False when the requesting user has no second factor: that user would be locked out next. */
export const makeSecondFactorRequired = async (tx: Tx, customerId: string, userId: string): Promise<boolean> => {
  const saved = await updateRows(tx, customerId, 'customer')
    .set({ second_factor_required: true })
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
  rowChanged(tx, 'customer', customerId)
  return saved.numUpdatedRows === 1n
}

export const makeSecondFactorOptional = async (tx: Tx, customerId: string) => {
  await updateRows(tx, customerId, 'customer').set({ second_factor_required: false }).execute()
  rowChanged(tx, 'customer', customerId)
}

export const checkDashboard = async (tx: Tx, customerId: string, dashboard: DashboardForm) => {
  const { r0c1, r1c1, r1c2, r1c3, r2c1, r2c2, r3c1, r3c2 } = dashboard
  const cells = [r1c1, r1c2, r1c3, r2c1, r2c2, ...(r0c1 ? [r0c1] : [])]
  const named = (key: 'groupId' | 'frequencyId' | 'priceSignalId') => cells.flatMap((cell) => cell[key] ?? [])
  const instances = new Set([...named('groupId'), ...[r3c1, r3c2].flatMap((cell) => cell?.groupId ?? [])])
  const [frequencies, prices] = [new Set(named('frequencyId')), new Set(named('priceSignalId'))]
  const existing =
    (await countRows(selectRows(tx, customerId, 'instance', { enabled: true, instance_id: [...instances] }))) +
    (await countRows(selectRows(tx, customerId, 'frequency_signal', { frequency_id: [...frequencies] }))) +
    (await countRows(selectRows(tx, customerId, 'price_signal', { price_signal_id: [...prices] })))
  if (existing < instances.size + frequencies.size + prices.size) throw notFound()
}

export const saveHomeDashboard = async (tx: Tx, customerId: string, dashboard: DashboardForm | null) => {
  await updateRows(tx, customerId, 'customer')
    .set({ home_dashboard: dashboard && JSON.stringify(dashboard) })
    .execute()
  rowChanged(tx, 'customer', customerId)
}
