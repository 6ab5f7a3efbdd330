import type { HTMLAttributes, ReactNode, ComponentProps } from 'react'
import classes from './layout.module.css'
import classesOfTextButton from './layout.module.css'
import { TextInput } from '@mantine/core'

type TextButtonProps = ComponentProps<'button'> & {
  /** In the colour of the text around it. */
  plain?: boolean
  strong?: boolean
  underlined?: boolean
  /** The whole row or card presses it. */
  covers?: boolean
}

/** A button that looks like words of the text around it. */
export const TextButton = ({ plain, strong, underlined, covers, className, ...button }: TextButtonProps) => (
  <button
    type="button"
    className={[classesOfTextButton.textButton, className].filter(Boolean).join(' ')}
    data-plain={plain || undefined}
    data-strong={strong || undefined}
    data-underlined={underlined || undefined}
    data-covers={covers || undefined}
    {...button}
  />
)

type SideListProps = {
  title: string
  count: number
  action?: ReactNode
  collapsed?: boolean
  search: { label: string; value: string; onChange: (text: string) => void }
  children: ReactNode
}

const searchedFrom = 8

export const SideList = ({ title, count, action, collapsed = false, search, children }: SideListProps) => (
  <nav className={classes.sideList} aria-label={title} data-collapsed={collapsed || undefined}>
    <header>
      {!collapsed && (
        <h2>
          {title} <span className="gm-num">{count}</span>
        </h2>
      )}
      {action}
    </header>
    {!collapsed && count >= searchedFrom && (
      <TextInput
        type="search"
        aria-label={search.label}
        placeholder={search.label}
        value={search.value}
        onChange={(event) => search.onChange(event.currentTarget.value)}
      />
    )}
    {!collapsed && children}
  </nav>
)

type Fact = readonly [label: string, value: ReactNode]

/** Facts of one thing, each under its label. */
export const Facts = ({ facts, layout }: { facts: readonly Fact[]; layout: 'columns' | 'row' }) => (
  <dl className={classes.facts} data-layout={layout}>
    {facts.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd className="gm-num">{value}</dd>
      </div>
    ))}
  </dl>
)

/** Pixels; `cards`: between the cards of a page, 16 and 12 on a phone. */
export type Gap = 0 | 4 | 6 | 8 | 12 | 14 | 16 | 28 | 32 | 'cards'

type Props = HTMLAttributes<HTMLElement> & {
  as?: 'div' | 'span' | 'p' | 'b' | 'ul'
  gap?: Gap
  rowGap?: 4 | 8 | 12
  above?: 4 | 8
  below?: 4 | 8 | 12
  inline?: boolean
  /** As far to the right as the line goes. */
  end?: boolean
  /** A line of its own in a row or a grid. */
  wholeLine?: boolean
  ink?: 'ink2' | 'ink3' | 'down' | 'warn'
  size?: 'body' | 'small' | 'label'
  weight?: 'medium' | 'strong'
}
type BoxProps = Props & {
  kind?: 'stack' | 'row' | 'grid'
  nowrap?: boolean
  align?: string
  justify?: string
  columns?: string | number
}

const Box = ({
  kind,
  as: Tag = 'div',
  gap,
  rowGap,
  above,
  below,
  inline,
  end,
  wholeLine,
  nowrap,
  align,
  justify,
  columns,
  ink,
  size,
  weight,
  className,
  ...rest
}: BoxProps) => (
  <Tag
    className={[classes.box, kind && classes[kind], className].filter(Boolean).join(' ')}
    data-gap={gap}
    data-row-gap={rowGap}
    data-above={above}
    data-below={below}
    data-inline={inline || undefined}
    data-end={end || undefined}
    data-whole-line={wholeLine || undefined}
    data-nowrap={nowrap || undefined}
    data-align={align}
    data-justify={justify}
    data-columns={columns}
    data-ink={ink}
    data-size={size}
    data-weight={weight}
    {...rest}
  />
)

/** One below the other. */
export const Stack = (props: Props & { align?: 'start' }) => <Box kind="stack" {...props} />

/** Next to each other, wrapping, centred in the line. */
export const Row = (
  props: Props & { nowrap?: boolean; align?: 'start' | 'end' | 'stretch'; justify?: 'between' | 'end' },
) => <Box kind="row" {...props} />

/** Equal columns or columns in a ratio; on a tablet four are two and a ratio is one. */
export const Grid = (props: Props & { columns: 1 | 4 | '2:1' | '3:2' }) => <Box kind="grid" {...props} />

/** A word in another colour or size. */
export const Text = (props: Props) => <Box as="span" {...props} />

/** A paragraph without margins, small and grey. */
export const Note = (props: Props) => <Box as="p" ink="ink3" {...props} />

type LinesProps = HTMLAttributes<HTMLUListElement> & { fields?: boolean }

/** List items of a name and what is at its right, a hairline between them; `fields`: as high as a field. */
export const Lines = ({ fields, ...list }: LinesProps) => (
  <ul className={`${classes.box} ${classes.lines}`} data-fields={fields || undefined} {...list} />
)

type ListAndDetailsProps = { list?: 'usual' | 'wide' | 'collapsed'; children: ReactNode }

/** A list at the side and, next to it, what it chooses; above it where there is no room. */
export const ListAndDetails = ({ list = 'usual', children }: ListAndDetailsProps) => (
  <div className={classes.listAndDetails} data-list={list}>
    {children}
  </div>
)
