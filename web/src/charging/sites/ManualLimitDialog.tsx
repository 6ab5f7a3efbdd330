import { TextInput } from '@mantine/core'
import { type ChargingSite, type SiteOutlet, setSiteLimit } from '@gridmast/contract/charging/charging-sites.ts'
import { t } from '#lib/i18n.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'

export type OutletRow = SiteOutlet & { key: string; charger: ChargingSite['chargers'][number] }
type Props = { site: ChargingSite; row: OutletRow | null; onClose: () => void }

/** A limit of one connector for a while, with its reason. */
export const ManualLimitDialog = ({ site, row, onClose }: Props) => (
  <CallFormDialog
    title={row ? t('Limit {{name}}', { name: `${row.charger.name} · ${row.connectorId}` }) : ''}
    label={t('Manual limit')}
    submit={t('Set limit')}
    size={480}
    call={setSiteLimit}
    initial={row && { limitA: 6, hours: 4, reason: '' }}
    toBody={(values) => ({ ...values, chargerId: row?.charger.chargerId, connectorId: row?.connectorId })}
    request={{ params: { id: site._id } }}
    onClose={onClose}
  >
    {({ field, number }) => (
      <>
        <DecimalField
          label={t('At most')}
          description={t('Of each phase. Below 6 A a car takes nothing, so 0 A is a pause.')}
          data-autofocus
          unit="A"
          decimals={0}
          {...number('limitA')}
        />
        <DecimalField
          label={t('For how long')}
          description={t('Then it ends by itself. At most a week.')}
          unit={t('hours')}
          decimals={0}
          {...number('hours')}
        />
        <TextInput
          label={t('Reason')}
          description={t('Colleagues read it beside the connector, with your name.')}
          autoComplete="off"
          {...field('reason')}
        />
      </>
    )}
  </CallFormDialog>
)
