import type { ReactNode } from 'react'
import { type Block, blocksOf } from './plain-text.ts'
import classes from './PlainText.module.css'

/** Every second part is between backquotes; parts have no key other than their position. */
const withCode = (text: string): ReactNode[] =>
  // oxlint-disable-next-line react/no-array-index-key
  text.split('`').map((part, i, parts) => (i % 2 === 1 && i < parts.length - 1 ? <code key={i}>{part}</code> : part))

const shown = (block: Block, key: number) => {
  if (block.kind === 'list')
    return (
      <ul key={key}>
        {block.items.map((item, i) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i}>{withCode(item)}</li>
        ))}
      </ul>
    )
  const Line = block.kind === 'heading' ? 'h3' : 'p'
  return <Line key={key}>{withCode(block.text)}</Line>
}

/** Text of a customer, an operator or a changelog, rendered by React, so that it never becomes markup. */
export const PlainText = ({ children }: { children: string }) => (
  <div className={classes.text}>{blocksOf(children).map(shown)}</div>
)
