import type { ReactNode } from 'react'
import classes from './Facts.module.css'

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
