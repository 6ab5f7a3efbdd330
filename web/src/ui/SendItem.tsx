import { Suspense } from 'react'
import { part } from '#lib/part.tsx'

// Outside of the first load.
const ReportItem = part(async () => (await import('./ReportItem.tsx')).default)

/** 'Send by email' in a menu of exports, for an address that can be sent. */
export const SendItem = ({ address, hasIcon = false }: { address: string | undefined; hasIcon?: boolean }) =>
  address !== undefined && (
    <Suspense>
      <ReportItem address={address} hasIcon={hasIcon} />
    </Suspense>
  )
