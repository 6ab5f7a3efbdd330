import type { ReactNode } from 'react'

/** What follows a list on a screen. Hidden until the list is read: its rows would push it down. */
export const Below = ({ waits, children }: { waits: boolean; children: ReactNode }) => (
  <div hidden={waits} style={waits ? {} : { display: 'contents' }}>
    {children}
  </div>
)
