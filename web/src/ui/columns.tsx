import { ActionIcon, Button } from '@mantine/core'
import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './DataTable.module.css'
import { type Column, Cut } from './DataTable.tsx'

/** The kind of a column sets alignment, digits, format and sort. */

type Options<Row> = Pick<Column<Row>, 'card' | 'digits' | 'hint' | 'omitWhen'>
type CellOptions<Row> = Options<Row> & { sort?: (row: Row) => string | number }
type ValueOptions<Row> = Options<Row> & {
  /** True sorts by the value. */
  sort?: true | ((row: Row) => string | number)
}

const cellColumn = <Row,>(
  key: string,
  title: string,
  content: (row: Row) => ReactNode,
  { sort, ...options }: CellOptions<Row>,
): Column<Row> => ({ key, title, cell: content, ...options, ...(sort ? { sortBy: sort } : {}) })

export const cell = <Row,>(
  key: string,
  title: string,
  content: (row: Row) => ReactNode,
  options: CellOptions<Row> = {},
): Column<Row> => cellColumn(key, title, content, options)

export const figure = <Row,>(
  key: string,
  title: string,
  content: (row: Row) => ReactNode,
  options: CellOptions<Row> = {},
): Column<Row> => ({ ...cellColumn(key, title, content, options), align: 'right' })

/** Longer text is truncated to `cut` characters and shown in full on hover or focus. */
export const text = <Row,>(
  key: string,
  title: string,
  value: (row: Row) => string | null | undefined,
  { cut, sort, ...options }: ValueOptions<Row> & { cut?: number } = {},
): Column<Row> =>
  cellColumn(
    key,
    title,
    cut === undefined ? (row) => value(row) ?? unknownText : (row) => <Cut text={value(row) ?? unknownText} at={cut} />,
    { ...options, ...(sort ? { sort: sort === true ? (row: Row) => value(row) ?? '' : sort } : {}) },
  )

/** A number with `decimals`, or its decimals unchanged without. */
export const number = <Row,>(
  key: string,
  title: string,
  value: (row: Row) => string | number | null | undefined,
  { decimals, sort, ...options }: ValueOptions<Row> & { decimals?: number } = {},
): Column<Row> =>
  figure(
    key,
    title,
    (row) => (decimals === undefined ? (value(row) ?? unknownText) : formatNumber(value(row), { decimals })),
    { ...options, ...(sort ? { sort: sort === true ? (row: Row) => Number(value(row) ?? -Infinity) : sort } : {}) },
  )

type Moment<Row> = (row: Row) => string | null | undefined

const momentColumn = <Row,>(
  key: string,
  title: string,
  value: Moment<Row>,
  write: (at: string) => string,
  options: ValueOptions<Row>,
): Column<Row> => {
  const { sort, ...others } = options
  return cellColumn(
    key,
    title,
    (row) => {
      const at = value(row)
      return at ? write(at) : unknownText
    },
    { digits: true, ...others, ...(sort ? { sort: sort === true ? (row: Row) => value(row) ?? '' : sort } : {}) },
  )
}

/** A day, or the day of an instant. */
export const date = <Row,>(key: string, title: string, value: Moment<Row>, options: ValueOptions<Row> = {}) =>
  momentColumn(key, title, value, (at) => formatDate(at.includes('T') ? Date.parse(at) : at), options)

export const time = <Row,>(key: string, title: string, value: Moment<Row>, options: ValueOptions<Row> = {}) =>
  momentColumn(key, title, value, (at) => formatDateTime(Date.parse(at)), options)

export const minute = <Row,>(key: string, title: string, value: Moment<Row>, options: ValueOptions<Row> = {}) =>
  momentColumn(key, title, value, (at) => formatDateTime(Date.parse(at)).slice(0, 16), options)

type RowAct = {
  label: string
  icon?: Icon
  text?: string
  loading?: boolean
  onClick: () => void
}
type RowActList = readonly (RowAct | false | null | undefined)[]

export const RowActs = ({ list = [], children }: { list?: RowActList; children?: ReactNode }) => (
  <span className={classes.acts} data-text={list.some((act) => act && act.text) || undefined}>
    {list.map(
      (act) =>
        act &&
        (act.text ? (
          <Button
            key={act.label}
            variant="default"
            size="xs"
            leftSection={act.icon && <act.icon size={14} stroke={1.8} aria-hidden />}
            aria-label={act.label}
            loading={act.loading ?? false}
            onClick={act.onClick}
          >
            {act.text}
          </Button>
        ) : (
          <ActionIcon key={act.label} aria-label={act.label} onClick={act.onClick}>
            {act.icon && <act.icon size={16} stroke={1.8} />}
          </ActionIcon>
        )),
    )}
    {children}
  </span>
)

export const acts = <Row,>(title: string, actsOf: (row: Row) => RowActList, options: Options<Row> = {}): Column<Row> =>
  figure('actions', title, (row) => <RowActs list={actsOf(row)} />, {
    card: 'acts',
    omitWhen: (row) => !actsOf(row).some(Boolean),
    ...options,
  })
