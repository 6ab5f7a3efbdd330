import { Button, Group } from '@mantine/core'
import { dismissUnknownCharger, findUnknownChargers } from '@gridmast/contract/charging/chargers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import { Below } from '#ui/Below.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { addressOf, RegisterDialog } from './RegisterDialog.tsx'

const rereadMs = 15_000

type Unknown = { identity: string; firstSeen: string; lastSeen: string; tries: number }

const useColumns = (mayEdit: boolean, onAdopt: (identity: string) => void): Column<Unknown>[] => {
  const dismissing = useDo(dismissUnknownCharger)
  const time = (at: string) => formatDateTime(Date.parse(at))
  return [
    { key: 'identity', title: t('Identity'), lead: true, cell: ({ identity }) => identity },
    { key: 'first', title: t('First seen'), digits: true, cell: ({ firstSeen }) => time(firstSeen) },
    { key: 'last', title: t('Last seen'), digits: true, cell: ({ lastSeen }) => time(lastSeen) },
    { key: 'tries', title: t('Tries'), align: 'right', cell: ({ tries }) => tries },
    ...(mayEdit
      ? [
          {
            key: 'adopt',
            title: t('Action'),
            acts: true,
            align: 'right' as const,
            cell: ({ identity }: Unknown) => (
              <Group gap={8} justify="flex-end" wrap="nowrap">
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('Adopt {{identity}}', { identity })}
                  onClick={() => onAdopt(identity)}
                >
                  {t('Adopt')}
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('Dismiss {{identity}}', { identity })}
                  loading={dismissing.pending.some(({ params }) => params.identity === identity)}
                  onClick={() => dismissing.mutate({ params: { identity } })}
                >
                  {t('Dismiss')}
                </Button>
              </Group>
            ),
          },
        ]
      : []),
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
        read={read}
        failed={t('The unknown chargers could not be loaded.')}
        columns={columns}
        rows={read.data?.unknown ?? []}
        rowKey={({ identity }) => identity}
        emptyReason={
          path &&
          t('A charger that is sent to {{address}} shows up here.', { address: addressOf(path, window.location) })
        }
      />
      <Below waits={read.isPending}>{below}</Below>
      {mayEdit && <RegisterDialog identity={adopting} onClose={() => setAdopting(null)} />}
    </>
  )
}
