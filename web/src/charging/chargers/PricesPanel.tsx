import { Fields, Wide } from '#ui/FormParts.tsx'
import { typedNumber } from '#lib/call-form.ts'
import { Button } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import {
  findChargingPrices,
  removeChargingPrice,
  chargingAreas,
  saveChargingPrice,
} from '@gridmast/contract/charging/charging-costs.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate, today } from '@gridmast/contract/time.ts'
import { IconCoin, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { limits } from '@gridmast/contract/limits.ts'
import { useNow } from '#lib/clock.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Note } from '#ui/Layout.tsx'
import { MultiSelect, Select } from '#ui/Select.tsx'

type Priced = Data<typeof findChargingPrices>['chargers'][number]
/** A charger with one of its prices; null where it has none. */
type PriceRow = { charger: Priced; price: Priced['prices'][number] | null; isNow: boolean }

const rowsOf = (chargers: readonly Priced[]): PriceRow[] =>
  chargers.flatMap((charger): PriceRow[] =>
    charger.prices.length === 0
      ? [{ charger, price: null, isNow: true }]
      : charger.prices.map((price) => ({ charger, price, isNow: price.validFrom === charger.now?.validFrom })),
  )

const keyOf = ({ charger, price }: PriceRow) => `${charger._id} ${price?.validFrom ?? ''}`
const useColumns = (
  tariffs: Data<typeof findChargingPrices>['tariffs'],
  onRemove: ((row: PriceRow) => void) | null,
): Columns<PriceRow> => {
  const tariffWords = (id: string | null) => {
    const tariff = tariffs.find(({ _id }) => _id === id)
    return tariff ? `${tariff.owner}, ${tariff.code}` : (id ?? t('None'))
  }
  return [
    column.text('charger', t('Charger'), ({ charger }) => charger.name, { card: 'lead', sort: true }),
    column.text(
      'from',
      t('From'),
      ({ price }) => (price?.validFrom ? formatDate(price.validFrom) : price ? t('From the start') : unknownText),
      { digits: true, sort: ({ price }) => price?.validFrom ?? '' },
    ),
    column.text('area', t('Area'), ({ price }) => price?.area, { sort: true }),
    column.figure('tax', t('Tax (DKK/MWh)'), ({ price }) => digits.exactDkkPerMwh(price?.taxValue), {
      sort: ({ price }) => Number(price?.taxValue ?? -Infinity),
    }),
    column.text('tariff', t('Tariff'), ({ price }) => (price ? tariffWords(price.tariff) : unknownText), {
      sort: true,
    }),
    column.figure(
      'driver',
      t('Driver pays (DKK/kWh)'),
      ({ price }) => (price?.driverPrice == null ? t('Nothing') : digits.dkkPerKwh(price.driverPrice)),
      { sort: ({ price }) => Number(price?.driverPrice ?? 0) },
    ),
    column.cell(
      'now',
      t('State'),
      ({ price, isNow, charger }) =>
        !price ? (
          <Tag kind="warn">{t('No price')}</Tag>
        ) : isNow ? (
          <Tag kind="up">{t('Valid today')}</Tag>
        ) : (
          <Tag kind="outline">
            {(price.validFrom ?? '') > (charger.now?.validFrom ?? '') ? t('Planned') : t('Past')}
          </Tag>
        ),
      { card: 'corner' },
    ),
    onRemove &&
      column.actions(t('Actions'), (row) => [
        !!row.price?.validFrom && {
          icon: IconTrash,
          label: t('Delete the price of {{name}} from {{date}}', {
            name: row.charger.name,
            date: formatDate(row.price.validFrom),
          }),
          onClick: () => onRemove(row),
        },
      ]),
  ]
}

/** Prices of each charger and of its drivers, by first day. */
export const PricesPanel = () => {
  const mayEdit = useCan('ev-charging.edit')
  const read = useCall(findChargingPrices, {})
  const [editing, setEditing] = useState(false)
  const [remove, removeDialog] = useConfirm({
    call: removeChargingPrice,
    sent: ({ charger, price }: PriceRow) => ({ params: { chargerId: charger._id, validFrom: price?.validFrom ?? '' } }),
    title: t('Delete this price?'),
    text: t('The previous price applies again, and sessions since then are recalculated.'),
    confirm: t('Delete'),
    danger: true,
  })
  const columns = useColumns(read.data?.tariffs ?? [], mayEdit ? remove : null)
  const chargers = read.data?.chargers ?? []
  return (
    <>
      <ListPanel
        title={t('Charging prices')}
        help="chargingCost"
        tools={
          mayEdit && (
            <Button
              leftSection={<IconCoin size={16} stroke={1.8} aria-hidden />}
              disabled={chargers.length === 0}
              onClick={() => setEditing(true)}
            >
              {t('Set price')}
            </Button>
          )
        }
        query={read}
        failed={t('The charging prices could not be loaded.')}
        columns={columns}
        rows={rowsOf(chargers)}
        rowKey={keyOf}
        pageSize={20}
        emptyReason={t('This license has no chargers yet.')}
      />
      {mayEdit && (
        <PriceDialog
          chargers={editing ? chargers : null}
          tariffs={read.data?.tariffs ?? []}
          onClose={() => setEditing(false)}
        />
      )}
      {removeDialog}
    </>
  )
}

type Answer = Data<typeof findChargingPrices>
type Props = { chargers: Answer['chargers'] | null; tariffs: Answer['tariffs']; onClose: () => void }

const PriceDialog = ({ chargers, tariffs, onClose }: Props) => {
  const newestDay = today(useNow(60_000))
  const current = chargers?.find(({ now }) => now !== null)?.now
  const groups = [...Map.groupBy(tariffs, ({ owner }) => owner)].map(([group, ofOwner]) => ({
    group,
    items: ofOwner.map(({ _id, code, name }) => ({ value: _id, label: `${code} ${name}` })),
  }))
  return (
    <CallFormDialog
      title={t('Set price')}
      submit={t('Set price')}
      gap={12}
      call={saveChargingPrice}
      initial={
        chargers && {
          chargers: chargers.map(({ _id }) => _id),
          validFrom: newestDay,
          area: current?.area ?? '',
          taxValue: typedNumber(current?.taxValue),
          tariff: current?.tariff ?? null,
          driverPrice: current?.driverPrice ?? null,
        }
      }
      onClose={onClose}
    >
      {({ field, number, decimal }) => (
        <>
          <Fields>
            <Wide>
              <MultiSelect
                label={t('Chargers')}
                data={(chargers ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
                searchable
                hidePickedOptions
                {...field('chargers')}
              />
            </Wide>
            <DateField label={t('From')} required {...field('validFrom')} />
            <Select
              label={t('Area')}
              allowDeselect={false}
              data={chargingAreas.map((area) => ({ value: area, label: area }))}
              {...field('area')}
            />
            <DecimalField label={t('Tax value')} unit="DKK/MWh" decimals={limits.taxDecimals} {...number('taxValue')} />
            <DecimalField
              label={t('Driver pays')}
              unit="DKK/kWh"
              decimals={4}
              placeholder={t('Nothing')}
              {...decimal('driverPrice', null)}
            />
            <Wide>
              <Select
                label={t('Tariff')}
                description={t('Hourly tariff of the grid company. Leave empty if the tax value includes it.')}
                placeholder={t('None')}
                data={groups}
                searchable
                clearable
                limit={200}
                {...field('tariff')}
              />
            </Wide>
          </Fields>
          <Note size="body" wholeLine>
            {t('Sessions from that day on are recalculated within a minute.')}
          </Note>
        </>
      )}
    </CallFormDialog>
  )
}
