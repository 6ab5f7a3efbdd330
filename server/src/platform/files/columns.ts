import type { Column } from './table-file.ts'

type Value<Row, T> = (row: Row, index: number) => T
type Optional<T> = T | null | undefined

export const text = <Row>(
  header: string,
  value: Value<Row, Optional<string | number>>,
  width?: number,
): Column<Row> => ({
  header,
  width,
  value: (row, index) => value(row, index) ?? null,
})

export const yesNo = <Row>(header: string, value: Value<Row, boolean | null>, width?: number): Column<Row> => {
  const yesOrNo: Value<Row, string | null> = (row, index) => {
    const isTrue = value(row, index)
    return isTrue === null ? null : isTrue ? 'Yes' : 'No'
  }
  return text(header, yesOrNo, width)
}

/** A decimal as the binary number of a spreadsheet. */
export const decimal = <Row>(
  header: string,
  value: Value<Row, Optional<string | number>>,
  numberFormat?: string,
): Column<Row> => ({
  header,
  numberFormat,
  value: (row, index) => {
    const cell = value(row, index) ?? null
    return cell === null ? null : Number(cell)
  },
})

export const number = <Row>(
  header: string,
  digits: number,
  value: Value<Row, Optional<string | number>>,
): Column<Row> => decimal(header, value, digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`)

const unit =
  (name: string, digits: number) =>
  <Row>(title: string, value: Value<Row, Optional<string | number>>): Column<Row> =>
    number(`${title} (${name})`, digits, value)

export const eur = unit('€', 2)
export const dkk = unit('DKK', 2)
export const kwh = unit('kWh', 3)
export const kw = unit('kW', 3)

export const instant = <Row>(header: string, value: Value<Row, Optional<Date | string | number>>): Column<Row> => ({
  header,
  dateKind: 'instants',
  value: (row, index) => {
    const at = value(row, index) ?? null
    return at === null ? null : new Date(at)
  },
})

export const day = <Row>(header: string, value: Value<Row, Optional<string>>, width?: number): Column<Row> => ({
  ...text(header, value, width),
  dateKind: 'days',
})

export const month = <Row>(header: string, value: Value<Row, string>): Column<Row> => ({
  ...text(header, value),
  dateKind: 'months',
})
