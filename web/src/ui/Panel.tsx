import { type CSSProperties, type ReactNode, type Ref, Suspense } from 'react'
import { withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { usePhone } from '#lib/phone.ts'
import type { HelpName } from './Help.tsx'
import classes from './Panel.module.css'

const Help = part(async () => (await withWords(import('#ui/Help.tsx'), 'help')).default)

type Props = {
  title?: ReactNode
  /** In lighter type after the title: a unit or a subject. */
  note?: ReactNode
  badge?: ReactNode
  /** Formula and source of the figures, behind '?'. */
  help?: HelpName | undefined
  tools?: ReactNode
  figures?: ReactNode
  foot?: ReactNode
  footRight?: ReactNode
  children?: ReactNode
  bleed?: boolean
  label?: string
  /** Covers the window. */
  full?: boolean
  style?: CSSProperties
  /** Receives the focus when the focused element is removed. */
  ref?: Ref<HTMLElement> | undefined
}

export const Panel = (props: Props) => {
  const { title, note, badge, help, tools, figures, foot, footRight, children, bleed, label, full, style, ref } = props
  const phone = usePhone()
  const heading = (title || note) && (
    <h2 className={classes.title}>
      {title}
      {note && <span className={classes.note}>{note}</span>}
    </h2>
  )
  const question = help && (
    <Suspense fallback={<span className={classes.help} />}>
      <Help of={help} />
    </Suspense>
  )
  return (
    <section
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      className={classes.panel}
      data-full={full || undefined}
      aria-label={label}
      style={style}
    >
      {(title || tools || help) && (
        <header className={classes.head}>
          <div className={classes.lead}>
            {phone ? (
              <div>
                {heading}
                {question}
              </div>
            ) : (
              heading
            )}
            {badge && <span className={classes.badge}>{badge}</span>}
            {!phone && question}
          </div>
          <div className={classes.tools}>{tools}</div>
        </header>
      )}
      {figures && <div className={classes.figures}>{figures}</div>}
      <div className={classes.body} data-bleed={bleed || undefined}>
        {children}
      </div>
      {(foot || footRight) && (
        <footer className={classes.foot}>
          <div>{foot}</div>
          <div>{footRight}</div>
        </footer>
      )}
    </section>
  )
}
