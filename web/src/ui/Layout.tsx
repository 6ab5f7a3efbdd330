import type { HTMLAttributes, ReactNode, ComponentProps } from 'react'
import { TextInput } from '@mantine/core'
import classes from './layout.module.css'

type TextButtonProps = ComponentProps<'button'> & {
  /** In the colour of the text around it. */
  plain?: boolean
  strong?: boolean
  underlined?: boolean
  /** The clickable area is larger than the text. */
  roomy?: boolean
  /** The whole row or card presses it. */
  covers?: boolean
}

/** A button that looks like words of the text around it. */
export const TextButton = ({ plain, strong, underlined, roomy, covers, className, ...button }: TextButtonProps) => (
  <button
    type="button"
    className={[classes.textButton, !covers && 'gm-touch', className].filter(Boolean).join(' ')}
    data-plain={plain || undefined}
    data-strong={strong || undefined}
    data-underlined={underlined || undefined}
    data-roomy={roomy || undefined}
    data-covers={covers || undefined}
    {...button}
  />
)

type SideListProps = {
  title: string
  count: number
  action?: ReactNode
  collapsed?: boolean
  search?: { label: string; value: string; onChange: (text: string) => void }
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
    {!collapsed && search && count >= searchedFrom && (
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
export const Facts = ({ facts, layout }: { facts: readonly Fact[]; layout: 'columns' | 'row' | 'lines' }) => (
  <dl className={classes.facts} data-layout={layout}>
    {facts.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd className="gm-num">{value}</dd>
      </div>
    ))}
  </dl>
)

type Space = 0 | 2 | 4 | 6 | 8 | 10 | 12 | 14 | 16 | 20 | 24 | 28 | 32 | 40
/** Pixels; `cards`: between the cards of a page, 16 and 12 on a phone; `figures`: in a row of them, 40 and 24. */
export type Gap = Space | 'cards' | 'figures'

type Tag =
  | 'div'
  | 'main'
  | 'section'
  | 'header'
  | 'footer'
  | 'fieldset'
  | 'legend'
  | 'p'
  | 'span'
  | 'b'
  | 'small'
  | 'ul'
  | 'ol'
  | 'li'
  | 'dl'
  | 'dt'
  | 'dd'

type Props = HTMLAttributes<HTMLElement> & {
  as?: Tag
  gap?: Gap
  rowGap?: Space
  above?: Space
  below?: Space
  inline?: boolean
  /** As far to the right as the line goes; `wide`: not on a phone. */
  end?: boolean | 'wide'
  /** A line of its own in a row or a grid. */
  wholeLine?: boolean
  /** Fills the line of a row, with this minimum width in pixels. */
  grow?: true | 200
  /** On a coloured background. */
  plate?: 'sub' | 'sub-raised' | 'tint' | 'up-tint' | 'warn-tint' | 'down-tint'
  /** Panels in it are no cards of their own. */
  flat?: boolean
  ink?: 'ink1' | 'ink2' | 'ink3' | 'link' | 'up' | 'down' | 'warn'
  size?: 'body' | 'small' | 'note' | 'label' | 'tiny'
  weight?: 'normal' | 'medium' | 'strong'
}
type BoxProps = Props & {
  kind?: 'stack' | 'row' | 'grid' | undefined
  nowrap?: boolean
  align?: string
  justify?: string
  columns?: string | number
  fit?: number
  fill?: number
}

const px = (value: number | undefined) => value && `${value}px`

/** Inline variables, so that a class of the screen can override what uses them. */
const variables = ({ gap, rowGap, above, below, grow, plate, ink, fit, fill, style }: BoxProps) => ({
  '--gap': typeof gap === 'number' ? px(gap) : undefined,
  '--row-gap': px(rowGap),
  '--above': px(above),
  '--below': px(below),
  '--grow': grow === true ? undefined : px(grow),
  '--ink': ink && `var(--gm-${ink})`,
  '--narrowest': px(fit ?? fill),
  '--plate': plate && `var(--gm-${plate})`,
  ...style,
})

const Box = ({ kind, as: Element = 'div', className, ...props }: BoxProps) => {
  const { gap, rowGap, above, below, ink, inline, end, wholeLine, grow, plate, flat, ...others } = props
  const { nowrap, align, justify, columns, fit, fill, size, weight, ...rest } = others
  return (
    <Element
      {...rest}
      className={[classes.box, kind && classes[kind], className].filter(Boolean).join(' ')}
      style={variables(props)}
      data-gap={typeof gap === 'string' ? gap : undefined}
      data-inline={inline || undefined}
      data-end={end || undefined}
      data-whole-line={wholeLine || undefined}
      data-grow={grow && true}
      data-flat={flat || undefined}
      data-nowrap={nowrap || undefined}
      data-align={align}
      data-justify={justify}
      data-fit={(columns && fit && true) || undefined}
      data-columns={columns ?? (fit ? 'fit' : fill ? 'fill' : undefined)}
      data-size={size}
      data-weight={weight}
      data-plate={plate}
    />
  )
}

/** One below the other. */
export const Stack = (props: Props & { align?: 'start' }) => <Box kind="stack" {...props} />

/** Next to each other, wrapping, centred in the line. */
export const Row = (
  props: Props & { nowrap?: boolean; align?: 'start' | 'end' | 'stretch'; justify?: 'between' | 'end' },
) => <Box kind="row" {...props} />

/**
 * Equal columns or columns in a ratio; on a tablet four are two and a ratio is one.
 * `fit`, `fill`: columns of at least that width; `fit` leaves no empty column at the end. `2:1` with `fit`: one below the other where the
 * narrow column would be narrower.
 */
export const Grid = (
  props: Props & { columns?: 1 | 2 | 4 | '2:1' | '3:2'; fit?: number; fill?: number; align?: 'start' },
) => <Box kind="grid" {...props} />

/** A word in another colour or size. */
export const Text = (props: Props) => <Box as="span" {...props} />

/** A paragraph without margins, small and grey. */
export const Note = (props: Props) => <Box as="p" ink="ink3" {...props} />

type SubSectionProps = Omit<Props, 'title'> & { title: string; note?: ReactNode; action?: ReactNode }

/** A part of a card or dialog under its own heading; with `gap` its children have equal distances. */
export const SubSection = ({ title, note, action, children, ...section }: SubSectionProps) => (
  <Box as="section" kind={section.gap === undefined ? undefined : 'stack'} aria-label={title} {...section}>
    <header className={classes.heading}>
      <h3>
        {title} {note && <small>{note}</small>}
      </h3>
      {action}
    </header>
    {children}
  </Box>
)

/** The last line of a dialog, from edge to edge; `pinned`: stays visible while the dialog scrolls, except on a tablet. */
export const DialogFoot = ({ pinned, className, ...foot }: HTMLAttributes<HTMLElement> & { pinned?: boolean }) => (
  <div
    className={[classes.dialogFoot, className].filter(Boolean).join(' ')}
    data-pinned={pinned || undefined}
    {...foot}
  />
)

/** A line in small grey below a name. */
export const Under = (props: Props) => <Box ink="ink3" size="small" weight="normal" {...props} />

type LinesProps = HTMLAttributes<HTMLUListElement> & { fields?: boolean }

/** List items of a name and what is at its right, a hairline between them; `fields`: as high as a field. */
export const Lines = ({ fields, ...list }: LinesProps) => (
  <ul className={`${classes.box} ${classes.lines}`} data-fields={fields || undefined} {...list} />
)

type ListAndDetailsProps = { list?: 'wide' | 'collapsed' | undefined; children: ReactNode }

/** A list at the side and, next to it, what it chooses; above it where there is no room. */
export const ListAndDetails = ({ list, children }: ListAndDetailsProps) => (
  <div className={classes.listAndDetails} data-list={list}>
    {children}
  </div>
)
