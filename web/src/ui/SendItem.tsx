import { lazy, Suspense } from 'react'

// Outside of the first load.
const ReportItem = lazy(() => import('./ReportItem.tsx'))

/** 'Send by email' in a menu of exports, for an address that can be sent. */
export const SendItem = ({ address, hasIcon = false }: { address: string | undefined; hasIcon?: boolean }) =>
  address !== undefined && (
    <Suspense>
      <ReportItem address={address} hasIcon={hasIcon} />
    </Suspense>
  )
