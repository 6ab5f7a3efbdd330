import type { ReactNode } from 'react'
import classes from './Page.module.css'

export const Page = ({ children }: { children: ReactNode }) => <main className={classes.page}>{children}</main>

/** An introduction in one or two sentences. */
export const Lead = ({ children }: { children: ReactNode }) => <p className={classes.lead}>{children}</p>
