import { ActionIcon, Button } from '@mantine/core'
import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './DataTable.module.css'
import { type Column, Cut } from './DataTable.tsx'

/** The kind of a column sets alignment, digits, format and sort. */

type Options<Row> = Pick<Column<Row>, 'card' | 'digits' | 'extra' | 'hint' | 'omitWhen' | 'wraps'>
type CellOptions<Row> = Options<Row> & { sort?: (row: Row) => string | number }
type ValueOptions<Row> = Options<Row> & {
  /** True sorts by the value. */
  sort?: true | ((row: Row) => string | number)
}

/** With `sort: true` rows are sorted by the value of the column. */
const sortedBy = <Row,>(sort: ValueOptions<Row>['sort'], value: (row: Row) => string | number) =>
  sort ? { sort: sort === true ? value : sort } : {}

export const cell = <Row,>(
  key: string,
  title: string,
  content: (row: Row) => ReactNode,
  { sort, ...options }: CellOptions<Row> = {},
): Column<Row> => ({ key, title, cell: content, ...options, ...(sort ? { sortBy: sort } : {}) })

export const figure = <Row,>(
  key: string,
  title: string,
  content: (row: Row) => ReactNode,
  options: CellOptions<Row> = {},
): Column<Row> => ({ ...cell(key, title, content, options), align: 'right' })

/** Longer text is truncated to `cut` characters and shown in full on hover or focus. */
export const text = <Row,>(
  key: string,
  title: string,
  value: (row: Row) => string | null | undefined,
  { cut, sort, ...options }: ValueOptions<Row> & { cut?: number } = {},
): Column<Row> =>
  cell(
    key,
    title,
    cut === undefined ? (row) => value(row) ?? unknownText : (row) => <Cut text={value(row) ?? unknownText} at={cut} />,
    { wraps: cut !== undefined, ...options, ...sortedBy(sort, (row) => value(row) ?? '') },
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
    { ...options, ...sortedBy(sort, (row) => Number(value(row) ?? -Infinity)) },
  )

type Moment<Row> = (row: Row) => string | null | undefined

const momentColumn = <Row,>(
  key: string,
  title: string,
  value: Moment<Row>,
  write: (at: string) => string,
  { sort, ...options }: ValueOptions<Row>,
): Column<Row> =>
  cell(
    key,
    title,
    (row) => {
      const at = value(row)
      return at ? write(at) : unknownText
    },
    { digits: true, ...options, ...sortedBy(sort, (row) => value(row) ?? '') },
  )

/** A day, or the day of an instant. */
export const date = <Row,>(key: string, title: string, value: Moment<Row>, options: ValueOptions<Row> = {}) =>
  momentColumn(key, title, value, (at) => formatDate(at.includes('T') ? Date.parse(at) : at), options)

export const time = <Row,>(key: string, title: string, value: Moment<Row>, options: ValueOptions<Row> = {}) =>
  momentColumn(key, title, value, (at) => formatDateTime(Date.parse(at)), options)

export const minute = <Row,>(key: string, title: string, value: Moment<Row>, options: ValueOptions<Row> = {}) =>
  momentColumn(key, title, value, (at) => formatDateTime(Date.parse(at)).slice(0, 16), options)

type RowAction = {
  label: string
  icon?: Icon
  text?: string
  loading?: boolean
  onClick: () => void
}
type RowActionList = readonly (RowAction | false | null | undefined)[]

export const RowActions = ({ list = [], children }: { list?: RowActionList; children?: ReactNode }) => (
  <span className={classes.actions} data-text={list.some((action) => action && action.text) || undefined}>
    {/* By position: a button that becomes another one, as Pause becomes Resume, keeps the focus. */}
    {list.map(
      (action, i) =>
        action &&
        (action.text ? (
          <Button
            // oxlint-disable-next-line react/no-array-index-key
            key={i}
            variant="default"
            size="xs"
            leftSection={action.icon && <action.icon size={14} stroke={1.8} aria-hidden />}
            aria-label={action.label}
            loading={action.loading ?? false}
            onClick={action.onClick}
          >
            {action.text}
          </Button>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <ActionIcon key={i} aria-label={action.label} onClick={action.onClick}>
            {action.icon && <action.icon size={16} stroke={1.8} />}
          </ActionIcon>
        )),
    )}
    {children}
  </span>
)

export const actions = <Row,>(
  title: string,
  actionsOf: (row: Row) => RowActionList,
  options: Options<Row> = {},
): Column<Row> =>
  figure('actions', title, (row) => <RowActions list={actionsOf(row)} />, {
    card: 'actions',
    omitWhen: (row) => !actionsOf(row).some(Boolean),
    ...options,
  })
