import type { ReactNode } from 'react'

/** Content below a list, hidden until the list is read, because its rows would push it down. */
export const Below = ({ waits, children }: { waits: boolean; children: ReactNode }) => (
  <div hidden={waits} style={waits ? {} : { display: 'contents' }}>
    {children}
  </div>
)
