import { economicsInstances, economicsLicences } from '@gridmast/contract/settlement/economics.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { Select } from '#ui/Select.tsx'

type Owner = { licenseId?: string | undefined; instanceId?: string | undefined }

const all = 'all'

export const OwnerSelects = ({ licenseId, instanceId, onChange }: Owner & { onChange: (owner: Owner) => void }) => {
  const licences = useCall(economicsLicences, {})
  const instances = useCall(economicsInstances, { sent: { query: licenseId ? { licenseId } : {} } })
  const choices = (of: { _id: string; name: string }[] | undefined) => [
    { value: all, label: t('All') },
    ...(of ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
  ]
  const valueOf = (next: string | null) => (next === all || next === null ? undefined : next)
  return (
    <>
      <Select
        label={t('License')}
        w={160}
        allowDeselect={false}
        searchable
        data={choices(licences.data?.licenses)}
        value={licenseId ?? all}
        error={licences.error && translateText(licences.error.message)}
        onChange={(next) => onChange({ licenseId: valueOf(next), instanceId: undefined })}
      />
      <Select
        label={t('Instance')}
        w={190}
        allowDeselect={false}
        searchable
        data={choices(instances.data?.instances)}
        value={instanceId ?? all}
        error={instances.error && translateText(instances.error.message)}
        onChange={(next) => onChange({ licenseId, instanceId: valueOf(next) })}
      />
    </>
  )
}
