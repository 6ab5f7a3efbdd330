import type { ReactNode } from 'react'
import classes from './Page.module.css'

/** What a screen shows, one below the other. */
export const Page = ({ children }: { children: ReactNode }) => <main className={classes.page}>{children}</main>

/** What the screen is for, in a sentence or two. */
export const Lead = ({ children }: { children: ReactNode }) => <p className={classes.lead}>{children}</p>
