import { Button, Group, Skeleton, Tabs } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { powerCost, updateTax } from '@gridmast/contract/grid/prices.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { IconAlertCircle } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { useNow } from '#lib/clock.ts'
import { useCalls } from '#lib/query.ts'
import { today } from '@gridmast/contract/time.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { LoadError } from '#ui/Loaded.tsx'

type Signal = Customer['powerCost'][number]
type Taxes = Record<string, number | undefined>

export const UpdateTaxDialog = ({
  signals,
  opened,
  onClose,
}: {
  signals: readonly Signal[]
  opened: boolean
  onClose: () => void
}) => {
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Update Tax')}>
      {opened && <TaxReader signals={signals} onClose={onClose} />}
    </Dialog>
  )
}

type FormProps = { signals: readonly Signal[]; onClose: () => void }

const TaxReader = (props: FormProps) => {
  const date = today(useNow(60_000))
  const reads = useCalls(
    powerCost,
    props.signals.map(({ _id }) => ({ query: { date, priceSignal: _id, resolution: 'hour' as const } })),
  )
  if (reads.some(({ error }) => error)) return <LoadError query={reads} title={t('The taxes could not be loaded.')} />
  if (reads.some(({ data }) => !data))
    return (
      <div role="status" aria-label={t('Loading')}>
        <Skeleton height={44} mb={16} animate={false} />
        <Skeleton height={52} mb={12} animate={false} />
        <Skeleton height={35} mb={20} animate={false} />
        <Skeleton height={32} animate={false} />
      </div>
    )
  const taxes = Object.fromEntries(props.signals.map(({ _id }, i) => [_id, Number(reads[i]?.data?.tax ?? 0)]))
  return <TaxForm {...props} taxes={taxes} />
}

/** A price area is a group of price signals that share a tariff. */
const groupsOf = (signals: readonly Signal[]) =>
  [...new Set(signals.map(({ area }) => area))].map((area) => ({
    area,
    ofArea: signals.filter((signal) => signal.area === area),
  }))

const pathOf = (signal: Signal) => `taxes.${signal._id}`

const TaxForm = ({ signals, taxes, onClose }: FormProps & { taxes: Taxes }) => {
  const groups = groupsOf(signals)
  const [tab, setTab] = useState(groups[0]?.area ?? null)
  const { form, number, unsaved, sending, waitS, validate, formProps } = useCallForm(updateTax, {
    initial: { taxes },
    onDone: onClose,
  })
  const isWrong = (ofArea: readonly Signal[], errors: object = form.errors) =>
    ofArea.some((signal) => pathOf(signal) in errors)
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const checked = await validate()
    if (!checked) return
    void formProps.onSubmit()
    // A wrong field on another tab opens that tab.
    const wrong = groups.flatMap(({ area, ofArea }) => (isWrong(ofArea, checked.errors) ? area : []))
    if (wrong[0] && !wrong.some((area) => area === tab)) setTab(wrong[0])
  }
  return (
    <form {...formProps} onSubmit={send}>
      <Tabs value={tab} onChange={setTab}>
        <Tabs.List>
          {groups.map(({ area, ofArea }) => (
            <Tabs.Tab
              key={area}
              value={area}
              {...(isWrong(ofArea)
                ? { rightSection: <IconAlertCircle size={14} aria-label={t('Has an error')} /> }
                : {})}
            >
              {area}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {groups.map(({ area, ofArea }) => (
          <Tabs.Panel key={area} value={area} pt={16}>
            {ofArea.map((signal, i) => (
              <DecimalField
                key={signal._id}
                data-autofocus={i === 0 || undefined}
                label={t('Tax of {{signal}}', { signal: signal.name })}
                mb={12}
                decimals={limits.taxDecimals}
                unit="Kr/mwh"
                {...number(pathOf(signal))}
              />
            ))}
          </Tabs.Panel>
        ))}
      </Tabs>
      <p className="gm-meta">
        {t('Added to every day-ahead price, excluding VAT. Applies to everyone in your company.')}
      </p>
      <Group justify="flex-end" gap={8} mt={20}>
        {unsaved && !groups.some(({ ofArea }) => isWrong(ofArea)) && (
          <span className="gm-meta" style={{ marginRight: 'auto' }}>
            {t('Unsaved changes')}
          </span>
        )}
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={sending} disabled={waitS > 0}>
          {t('Update')}
        </Button>
      </Group>
    </form>
  )
}
