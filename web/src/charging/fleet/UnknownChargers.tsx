import { Button } from '@mantine/core'
import { dismissUnknownCharger, findUnknownChargers } from '@gridmast/contract/charging/chargers.ts'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import { BelowList } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { addressOf, RegisterDialog } from './RegisterDialog.tsx'

const rereadMs = 15_000

type Unknown = { identity: string; firstSeen: string; lastSeen: string; tries: number }

const useColumns = (mayEdit: boolean, onAdopt: (identity: string) => void): Columns<Unknown> => {
  const dismissing = useDo(dismissUnknownCharger)
  return [
    column.text('identity', t('Identity'), ({ identity }) => identity, { card: 'lead' }),
    column.time('first', t('First seen'), ({ firstSeen }) => firstSeen),
    column.time('last', t('Last seen'), ({ lastSeen }) => lastSeen),
    column.number('tries', t('Tries'), ({ tries }) => tries),
    mayEdit &&
      column.acts(t('Action'), ({ identity }) => [
        { text: t('Adopt'), label: t('Adopt {{identity}}', { identity }), onClick: () => onAdopt(identity) },
        {
          text: t('Dismiss'),
          label: t('Dismiss {{identity}}', { identity }),
          loading: dismissing.pending.some(({ params }) => params.identity === identity),
          onClick: () => dismissing.mutate({ params: { identity } }),
        },
      ]),
  ]
}

/** Chargers that knocked and that nobody has registered; each is adopted in one step. */
export const UnknownChargers = ({ below }: { below?: ReactNode }) => {
  const mayEdit = useCan('charger.edit')
  const [adopting, setAdopting] = useState<string | null>(null)
  const read = useCall(findUnknownChargers, { refetchIntervalMs: rereadMs })
  const columns = useColumns(mayEdit, setAdopting)
  const path = read.data?.path
  return (
    <>
      <ListPanel
        label={t('Unknown chargers')}
        title={t('Unknown chargers')}
        tools={
          mayEdit && (
            <Button leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => setAdopting('')}>
              {t('Register a charger')}
            </Button>
          )
        }
        query={read}
        failed={t('The unknown chargers could not be loaded.')}
        columns={columns}
        rows={read.data?.unknown ?? []}
        rowKey={({ identity }) => identity}
        emptyReason={
          path &&
          t('A charger that is sent to {{address}} shows up here.', { address: addressOf(path, window.location) })
        }
      />
      <BelowList isPending={read.isPending}>{below}</BelowList>
      {mayEdit && <RegisterDialog identity={adopting} onClose={() => setAdopting(null)} />}
    </>
  )
}
