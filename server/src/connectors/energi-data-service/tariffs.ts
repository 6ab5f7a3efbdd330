import type { RowReader } from './records.ts'

/** A tariff of a grid company or of Energinet in DKK/kWh without VAT, valid for local days `[validFrom, validTo)`. */
export type Tariff = {
  ownerGln: string
  ownerName: string
  chargeType: string
  code: string
  name: string
  validFrom: string
  validTo: string | null
  resolution: string
  /** Of the 24 local hours, 00–01 first. */
  prices: readonly string[]
}

const hours = Array.from({ length: 24 }, (_, hour) => `Price${hour + 1}`)

/** Hours without a price of their own take that of the first (domain notes, section 1.3); a row without that one has no price: null. */
export const readTariff = (row: RowReader): Tariff | null => {
  const [first = null, ...rest] = hours.map((column) => row.decimal(column))
  if (first === null) return null
  return {
    ownerGln: row.text('GLN_Number', 'a location number'),
    ownerName: row.text('ChargeOwner', 'the name of an owner'),
    chargeType: row.text('ChargeType', 'D01, D02 or D03'),
    code: row.text('ChargeTypeCode', 'a code'),
    name: row.optionalText('Note') ?? '',
    validFrom: row.day('ValidFrom'),
    validTo: row.optionalDay('ValidTo'),
    resolution: row.text('ResolutionDuration', 'P1D, PT1H or P1M'),
    prices: [first, ...rest.map((one) => one ?? first)],
  }
}
